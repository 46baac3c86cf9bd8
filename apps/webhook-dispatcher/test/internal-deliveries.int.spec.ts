import {
  deliveryRowsSchema,
  internalDeliveriesSchema,
  type DeliveryRows,
  type InternalDeliveries,
  type Tenant,
} from '@pay/contracts';
import type { z } from 'zod';
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

  function deliveriesOf(paymentIntentId: string, tenant: Tenant, secret?: string) {
    const path = `deliveries?paymentIntentId=${paymentIntentId}`;
    return ask<InternalDeliveries>(path, internalDeliveriesSchema, tenant, secret);
  }

  async function ask<T>(path: string, schema: z.ZodType<T>, tenant: Tenant, secret = SECRETS['dashboard-api']) {
    const log = createLogger({ service: 'webhook-dispatcher', level: 'silent' });
    const kernel = { log, metrics: createMetrics('webhook-dispatcher') };
    const app = createInternalApp(kernel, {
      ...NO_SHOP,
      db: on.service.db,
      peerSecrets: SECRETS,
      poke: () => undefined,
      webhooks: on.service.webhooks,
    });
    const stop = new AbortController();
    const server = httpServer({ app, host: '127.0.0.1', port: 0, log, idleGraceMs: 0 });
    const running = server.run(stop.signal);
    const { port } = await eventually(() => server.address(), 'the server listens');
    const baseUrl = `http://127.0.0.1:${port}`;
    const client = serviceClient({ issuer: 'dashboard-api', audience: 'webhook-dispatcher', secret, baseUrl });
    const answer = await client
      .request('GET', `/internal/v1/${path}`, { schema, tenant })
      .catch((error: unknown) => (error instanceof ServiceCallFailed ? error.status : error));
    await client.close();
    stop.abort();
    await running;
    return answer as T | number;
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

  it('returns all deliveries of a tenant, page by page behind the last row, with the filters of the list', async () => {
    await on.register();
    const events = [1, 2, 3].map(() => anEvent('intent.paid', on.merchant));
    for (const event of events) await on.service.announce(event);
    const tenant = { merchantId: on.merchant.id, environment: on.merchant.environment };
    const rows = async (query: string, of: Tenant = tenant) =>
      (await ask<DeliveryRows>(`delivery-rows?${query}`, deliveryRowsSchema, of)) as DeliveryRows;
    const delivered = async () => (await rows('limit=100&status=DELIVERED')).data.length >= events.length;
    await eventually(delivered, 'the webhooks of all events are delivered');
    const all = await rows('limit=100');

    const first = await rows('limit=2');
    const second = await rows(`limit=2&after=${first.nextCursor}`);

    expect(all.data.length).toBeGreaterThanOrEqual(3);
    expect(all.nextCursor).toBeNull();
    expect([...first.data, ...second.data]).toEqual(all.data.slice(0, 4));
    expect(first.nextCursor).toBe(all.data[1]?.id);
    const [{ paymentIntentId } = {}] = all.data;
    expect(await rows(`paymentIntentId=${paymentIntentId}`)).toEqual({ data: all.data.slice(0, 1), nextCursor: null });
    expect(await rows('status=FAILED')).toEqual({ data: [], nextCursor: null });
    expect(await rows('limit=100', { ...tenant, environment: 'LIVE' })).toEqual({ data: [], nextCursor: null });
    const otherMerchant = await aMerchant(on.service.db);
    expect(await rows('', { ...tenant, merchantId: otherMerchant.id })).toEqual({ data: [], nextCursor: null });
  });
});
