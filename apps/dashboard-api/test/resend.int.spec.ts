import { paymentMethodSchema, type EventOf } from '@pay/contracts';
import { draft } from '@pay/messaging';
import { eventually, failOnLeaks, promptly } from '@pay/testing';
import { addReceiverAccount } from '../src/receivers/add-receiver-account';
import { createMerchant } from '../src/merchants/create-merchant';
import { issueApiKey } from '../src/api-keys/issue-api-key';
import { revokeApiKey } from '../src/api-keys/revoke-api-key';
import { startCopy } from './copy-of-directory';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('dashboard-api re-sends', () => {
  let service: ServiceUnderTest;
  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.stop());

  async function aShop() {
    return service.change(async (deps, tx) => {
      const { merchantId } = await createMerchant(deps, tx, {
        name: 'Boi Bazar',
        enabledMethods: paymentMethodSchema.options,
      });
      const tenant = { merchantId, environment: 'SANDBOX' as const };
      const key = await issueApiKey(deps, tx, { tenant, name: 'Shop', scopes: ['payments:read'] });
      const wallet = { tenant, paymentMethod: 'BKASH_PAYMENT' as const, msisdn: '01712345678' };
      return { tenant, ...key, ...(await addReceiverAccount(deps, tx, wallet)) };
    });
  }

  const resent = async (): Promise<EventOf[]> => {
    const rows = await service.db.query<{ body: string }>(
      `select body from outbox where target_queue = 'intent-api.control' order by seq`,
    );
    return rows.map(({ body }) => JSON.parse(body) as EventOf);
  };

  it('a service that starts with nothing gets everything from before it existed, and then follows', async () => {
    const shop = await aShop();
    const revoked = await aShop();
    await service.change((deps, tx) => revokeApiKey(deps, tx, { apiKeyId: revoked.apiKeyId }));
    await eventually(
      async () => (await service.db.query('select from outbox_pending')).length === 0,
      'everything so far has been published, without a consumer',
    );

    const copy = await startCopy(service.namespace);
    try {
      await eventually(() => copy.resend.isReady?.(), 'the copy is complete');
      await expect(copy.directory.findApiKey(shop.apiKey)).resolves.toMatchObject({ id: shop.apiKeyId });
      await expect(copy.directory.findApiKey(revoked.apiKey)).resolves.toBeUndefined();
      await expect(copy.directory.receiverAccounts(shop.tenant)).resolves.toMatchObject([
        { id: shop.receiverAccountId },
      ]);

      await promptly(2_000, async () => {
        const key = await service.change((deps, tx) =>
          issueApiKey(deps, tx, { tenant: shop.tenant, name: 'Another', scopes: ['payments:read'] }),
        );
        await eventually(() => copy.directory.findApiKey(key.apiKey), 'the key works');
        const asked = performance.now();
        await service.change((deps, tx) => revokeApiKey(deps, tx, { apiKeyId: key.apiKeyId }));
        await eventually(async () => !(await copy.directory.findApiKey(key.apiKey)), 'the key is refused');
        return performance.now() - asked;
      });
    } finally {
      await copy.stop();
    }
  });

  it('sends pages of facts, deletions and all, under their own versions, and the end last', async () => {
    const { tenant, apiKeyId } = await aShop();
    await service.change((deps, tx) => revokeApiKey(deps, tx, { apiKeyId }));
    await service.db.execute('update receiver_accounts set version = version + 1, deleted_at = now()');
    await service.db.execute(
      `insert into receiver_accounts
         (id, version, merchant_id, environment, payment_method, msisdn, is_active, created_at, updated_at)
       select gen_random_uuid(), 1, $1, $2, 'NAGAD_PAYMENT', '018' || lpad(index::text, 8, '0'), true, now(), now()
         from generate_series(1, 1100) as index`,
      [tenant.merchantId, tenant.environment],
    );
    const request = draft('directory.resend_requested', {
      environment: null,
      merchantId: null,
      aggregateId: 'intent-api',
      sequence: 0,
      occurredAt: new Date(),
      data: { service: 'intent-api', kinds: ['receiver_account', 'api_key'] },
    });

    await service.db.transaction((tx) => service.messaging.publish(tx, [request]));

    const events = await eventually(async () => {
      const sent = await resent();
      return sent.some(({ type }) => type === 'directory.resend_completed') && sent;
    }, 'the answer is there');
    const facts = events.slice(0, -1);
    expect(facts).toHaveLength(1 + 1 + 1_100);
    expect(new Set(facts.map(({ aggregateId }) => aggregateId)).size).toBe(facts.length);
    expect(facts.find(({ aggregateId }) => aggregateId === apiKeyId)).toMatchObject({
      sequence: 2,
      data: { version: 2, revokedAt: expect.any(String) },
    });
    expect(facts.filter(({ data }) => 'deleted' in data && data.deleted)).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({
      type: 'directory.resend_completed',
      data: { service: 'intent-api', kinds: ['api_key', 'receiver_account'], requestId: request.id },
    });
  });

  it('a request of no service that keeps a copy is answered with nothing', async () => {
    const ask = (name: string) =>
      draft('directory.resend_requested', {
        environment: null,
        merchantId: null,
        aggregateId: name,
        sequence: 0,
        occurredAt: new Date(),
        data: { service: name, kinds: ['merchant'] },
      });
    await service.db.transaction((tx) =>
      service.messaging.publish(tx, [ask('somebody'), ask('dashboard-api'), ask('intent-api')]),
    );

    await eventually(async () => (await resent()).length > 0, 'the good one is answered');

    await expect(
      service.db.query('select distinct target_queue from outbox where target_queue is not null'),
    ).resolves.toEqual([{ target_queue: 'intent-api.control' }]);
  });
});
