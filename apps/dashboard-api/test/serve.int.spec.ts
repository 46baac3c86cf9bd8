import { randomUUID } from 'node:crypto';
import { apiKeyScopeSchema, type ServiceName } from '@pay/contracts';
import { hashKey, serviceClient } from '@pay/http';
import { failOnLeaks } from '@pay/testing';
import { z } from 'zod';
import { addReceiverAccount } from '../src/receivers/add-receiver-account';
import { connectDevice } from '../src/devices/connect-device';
import { createMerchant } from '../src/merchants/create-merchant';
import { issueApiKey } from '../src/api-keys/issue-api-key';
import { revokeApiKey } from '../src/api-keys/revoke-api-key';
import { PEER_SECRETS, startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('dashboard-api routes', () => {
  let service: ServiceUnderTest;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  async function ask(issuer: keyof typeof PEER_SECRETS, path: string, audience: ServiceName = 'dashboard-api') {
    const client = serviceClient({ issuer, audience, secret: PEER_SECRETS[issuer], baseUrl: service.internalUrl });
    try {
      return await client.request('GET', path, { schema: z.any() });
    } finally {
      await client.close();
    }
  }

  async function credentials() {
    return service.change(async (deps, tx) => {
      const { merchantId } = await createMerchant(deps, tx, { name: 'Boi Bazar', enabledMethods: [] });
      const tenant = { merchantId, environment: 'SANDBOX' as const };
      const key = await issueApiKey(deps, tx, { tenant, name: 'Shop', scopes: apiKeyScopeSchema.options });
      const device = await connectDevice(deps, tx, { tenant, name: 'Phone', sims: [] });
      return { merchantId, ...key, ...device };
    });
  }

  describe('the internal look-up', () => {
    it('answers the full state of a key, of a revoked one too', async () => {
      const { apiKey, apiKeyId, merchantId } = await credentials();
      const path = `/internal/v1/api-keys/${hashKey(apiKey)}`;

      const first = await ask('intent-api', path);
      await service.change((deps, tx) => revokeApiKey(deps, tx, { apiKeyId }));
      const second = await ask('webhook-dispatcher', path);

      expect(first.apiKey).toMatchObject({
        id: apiKeyId,
        merchantId,
        version: 1,
        revokedAt: null,
        keyHash: hashKey(apiKey),
      });
      expect(second.apiKey).toMatchObject({ id: apiKeyId, version: 2, revokedAt: expect.any(String) });
    });

    it('answers a device to sms-ingest', async () => {
      const { deviceId, deviceKey } = await credentials();

      await expect(ask('sms-ingest', `/internal/v1/devices/${hashKey(deviceKey)}`)).resolves.toMatchObject({
        device: { id: deviceId, isDisabled: false, sims: [] },
      });
    });

    it('answers the current facts of a tenant to the reconciler, deleted ones included', async () => {
      const { merchantId } = await credentials();
      const tenant = { merchantId, environment: 'SANDBOX' as const };
      const add = (environment: 'SANDBOX' | 'LIVE', msisdn: string) =>
        service.change((deps, tx) =>
          addReceiverAccount(deps, tx, { tenant: { ...tenant, environment }, paymentMethod: 'BKASH_PAYMENT', msisdn }),
        );
      const kept = await add('SANDBOX', '01712345678');
      const deleted = await add('SANDBOX', '01712345679');
      await add('LIVE', '01712345670');
      await service.db.execute(
        'update receiver_accounts set version = 2, is_active = false, deleted_at = now() where id = $1',
        [deleted.receiverAccountId],
      );

      const facts = await ask('reconciler', `/internal/v1/tenant-facts/${merchantId}/SANDBOX`);

      expect(facts.merchant).toMatchObject({ id: merchantId, version: 1, isActive: true });
      expect(facts.receiverAccounts).toHaveLength(2);
      expect(facts.receiverAccounts).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ id: kept.receiverAccountId, version: 1, isActive: true, deleted: false }),
          expect.objectContaining({ id: deleted.receiverAccountId, version: 2, isActive: false, deleted: true }),
        ]),
      );
      await expect(ask('reconciler', `/internal/v1/tenant-facts/${randomUUID()}/LIVE`)).resolves.toEqual({
        merchant: null,
        receiverAccounts: [],
      });
      await expect(ask('intent-api', `/internal/v1/tenant-facts/${merchantId}/SANDBOX`)).rejects.toMatchObject({
        status: 403,
      });
    });

    it('returns nothing for a record that does not exist, and 404 for a malformed hash', async () => {
      const unknown = hashKey('sk_test_nobody');

      await expect(ask('intent-api', `/internal/v1/api-keys/${unknown}`)).resolves.toEqual({ apiKey: null, epoch: 1 });
      await expect(ask('sms-ingest', `/internal/v1/devices/${unknown}`)).resolves.toEqual({ device: null, epoch: 1 });
      for (const wrong of ['sk_test_plain', unknown.toUpperCase(), `${unknown}0`, 'e3b0']) {
        await expect(ask('intent-api', `/internal/v1/api-keys/${wrong}`)).rejects.toMatchObject({ status: 404 });
      }
    });

    it('accepts only the services that each route is for', async () => {
      const hash = hashKey('sk_test_nobody');

      await expect(ask('sms-ingest', `/internal/v1/api-keys/${hash}`)).rejects.toMatchObject({ status: 403 });
      await expect(ask('intent-api', `/internal/v1/devices/${hash}`)).rejects.toMatchObject({ status: 403 });
      await expect(ask('intent-api', `/internal/v1/api-keys/${hash}`, 'reconciler')).rejects.toMatchObject({
        status: 401,
      });
      const anonymous = await fetch(`${service.internalUrl}/internal/v1/api-keys/${hash}`);
      expect(anonymous.status).toBe(401);
    });

    it('is not on the public port', async () => {
      const response = await fetch(`${service.url}/internal/v1/api-keys/${hashKey('sk_test_nobody')}`);

      expect(response.status).toBe(404);
    });
  });

  it.each(['/', '/v1/auth/you', '/v1/dashboard/merchants', '/livez'])(
    'GET %s is answered with the documented 404',
    async (path) => {
      const response = await fetch(service.url + path);

      expect(response.status).toBe(404);
      expect(response.headers.get('x-request-id')).toBeTruthy();
      await expect(response.json()).resolves.toEqual({ code: 'NOT_FOUND', message: expect.any(String) });
    },
  );
});
