import { webhookOwnerSchema, type Tenant } from '@pay/contracts';
import { httpServer, serviceClient, type ServiceCallFailed, type ServiceClient } from '@pay/http';
import { createLogger, createMetrics } from '@pay/runtime';
import { eventually, failOnLeaks } from '@pay/testing';
import { z } from 'zod';
import { createInternalApp } from '../src/app';
import { NO_SHOP } from './no-shop';
import { aMerchant } from './service-under-test';
import { stage } from './stage';

failOnLeaks();

const SECRET = 'd'.repeat(32);
const anything = z.any();

describe('the webhook operations for sessions of the dashboard', () => {
  const on = stage(0.001);
  let client: ServiceClient;
  let wrongCaller: ServiceClient;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const log = createLogger({ service: 'webhook-dispatcher', level: 'silent' });
    const kernel = { log, metrics: createMetrics('webhook-dispatcher') };
    const { db, webhooks } = on.service;
    const deps = { ...NO_SHOP, db, webhooks, peerSecrets: { 'dashboard-api': SECRET }, poke: () => undefined };
    const stop = new AbortController();
    const server = httpServer({
      app: createInternalApp(kernel, deps),
      host: '127.0.0.1',
      port: 0,
      log,
      idleGraceMs: 0,
    });
    const running = server.run(stop.signal);
    const { port } = await eventually(() => server.address(), 'the server listens');
    const from = { issuer: 'dashboard-api', audience: 'webhook-dispatcher' } as const;
    const baseUrl = `http://127.0.0.1:${port}`;
    client = serviceClient({ ...from, secret: SECRET, baseUrl });
    wrongCaller = serviceClient({ ...from, secret: 'x'.repeat(32), baseUrl });
    close = async () => {
      await Promise.all([client.close(), wrongCaller.close()]);
      stop.abort();
      await running;
    };
  });
  afterAll(() => close());

  const ask = (
    tenant: Tenant,
    ...[method, path, body]: [Parameters<ServiceClient['request']>[0], string, unknown?]
  ): Promise<any> => client.request(method, `/internal/v1/webhooks${path}`, { schema: anything, tenant, body });
  const ownerOf = async (kind: string, id: string, merchantId: string, by = client) =>
    by
      .request('GET', `/internal/v1/webhook-owners/${kind}/${id}?merchantId=${merchantId}`, {
        schema: webhookOwnerSchema,
      })
      .catch((error: unknown) => (error as ServiceCallFailed).status);
  const tenant = (): Tenant => ({ merchantId: on.merchant.id, environment: on.merchant.environment });

  it('registers, tests and deletes an endpoint of the tenant of the headers', async () => {
    const url = `${on.shop.url}/of-the-dashboard`;
    const endpoint = await ask(tenant(), 'POST', '/endpoints', { url, secret: 'a secret of 16+ chars' });
    expect(endpoint).toMatchObject({ url, environment: 'SANDBOX', isVerified: false, isActive: true });
    expect(endpoint).not.toHaveProperty('secret');

    const sent = await ask(tenant(), 'POST', `/endpoints/${endpoint.id}/test`);
    const delivery = await eventually(async () => {
      const found = await ask(tenant(), 'GET', `/deliveries/${sent.id}`);
      return found.status === 'DELIVERED' ? found : undefined;
    }, 'the test event is delivered');
    expect(delivery.attempts).toHaveLength(1);
    expect(await ownerOf('deliveries', sent.id, on.merchant.id)).toEqual({ environment: 'SANDBOX' });
    expect(await ownerOf('endpoints', endpoint.id, on.merchant.id)).toEqual({ environment: 'SANDBOX' });

    await ask(tenant(), 'DELETE', `/endpoints/${endpoint.id}`);
    expect(await ownerOf('endpoints', endpoint.id, on.merchant.id)).toBe(404);
  });

  it('returns 404 for endpoints of other merchants and of the other environment', async () => {
    const url = `${on.shop.url}/of-one-merchant`;
    const { id } = await ask(tenant(), 'POST', '/endpoints', { url, secret: 'a secret of 16+ chars' });
    const other = await aMerchant(on.service.db);

    expect(await ownerOf('endpoints', id, other.id)).toBe(404);
    for (const foreign of [
      { merchantId: other.id, environment: 'SANDBOX' as const },
      { ...tenant(), environment: 'LIVE' as const },
    ]) {
      await expect(ask(foreign, 'GET', `/endpoints/${id}`)).rejects.toMatchObject({ status: 404 });
      await expect(ask(foreign, 'POST', `/endpoints/${id}/test`)).rejects.toMatchObject({ status: 404 });
      expect((await ask(foreign, 'GET', '/endpoints')).data).toEqual([]);
    }
    await ask(tenant(), 'DELETE', `/endpoints/${id}`);
  });

  it('returns the reason why a URL is refused, and accepts only dashboard-api', async () => {
    const refused = ask(tenant(), 'POST', '/endpoints', {
      url: 'http://10.0.0.1/hook',
      secret: 'a secret of 16+ chars',
    });
    const failure = await refused.catch((error: unknown) => error as ServiceCallFailed);

    expect(failure).toMatchObject({ kind: 'rejected' });
    expect(failure.sentences.join(' ')).toMatch(/url/i);
    expect(JSON.stringify(failure)).not.toMatch(/10\.0\.0\.1|url must/);
    expect(await ownerOf('endpoints', on.merchant.id, on.merchant.id, wrongCaller)).toBe(401);
  });
});
