import { internalDeliveriesSchema, type InternalDeliveries, type Tenant } from '@pay/contracts';
import { httpServer, serviceClient, ServiceCallFailed } from '@pay/http';
import { createLogger, createMetrics } from '@pay/runtime';
import { eventually, failOnLeaks } from '@pay/testing';
import { createInternalApp } from '../src/app';
import { NO_SHOP } from './no-shop';
import { aMerchant, anEvent } from './service-under-test';
import { stage } from './stage';

failOnLeaks();

const SECRETS = { 'dashboard-api': 'd'.repeat(32) };

describe('GET /internal/v1/deliveries', () => {
  const on = stage(0.001);

  async function deliveriesOf(paymentIntentId: string, tenant: Tenant, secret = SECRETS['dashboard-api']) {
    const log = createLogger({ service: 'webhook-dispatcher', level: 'silent' });
    const kernel = { log, metrics: createMetrics('webhook-dispatcher') };
    const app = createInternalApp(kernel, {
      ...{ ...NO_SHOP, db: on.service.db, peerSecrets: SECRETS, poke: () => undefined },
      webhooks: on.service.webhooks,
    });
    const stop = new AbortController();
    const server = httpServer({ app, host: '127.0.0.1', port: 0, log });
    const running = server.run(stop.signal);
    const { port } = await eventually(() => server.address(), 'the server listens');
    const baseUrl = `http://127.0.0.1:${port}`;
    const client = serviceClient({ issuer: 'dashboard-api', audience: 'webhook-dispatcher', secret, baseUrl });
    const path = `/internal/v1/deliveries?paymentIntentId=${paymentIntentId}`;
    const answer = await client
      .request('GET', path, { schema: internalDeliveriesSchema, tenant })
      .catch((error: unknown) => (error instanceof ServiceCallFailed ? error.status : error));
    await client.close();
    stop.abort();
    await running;
    return answer as InternalDeliveries | number;
  }

  it("returns each delivery and attempt of the merchant's payment, and none of other merchants", async () => {
    await on.register();
    const event = anEvent('intent.paid', on.merchant);
    await on.service.announce(event);
    await on.settled('DELIVERED');
    const { id: merchantId, environment } = on.merchant;
    const { id } = event.data.intent;

    expect(await deliveriesOf(id, { merchantId, environment })).toMatchObject({
      deliveries: [
        {
          eventType: 'payment.paid',
          status: 'DELIVERED',
          attempts: [{ attempt: 1, outcome: 'SUCCESS', httpStatus: 200 }],
        },
      ],
    });
    const otherMerchant = await aMerchant(on.service.db);
    expect(await deliveriesOf(id, { merchantId: otherMerchant.id, environment })).toEqual({ deliveries: [] });
    expect(await deliveriesOf(id, { merchantId, environment: 'LIVE' })).toEqual({ deliveries: [] });
    expect(await deliveriesOf(id, { merchantId, environment }, 'x'.repeat(32))).toBe(401);
  });
});
