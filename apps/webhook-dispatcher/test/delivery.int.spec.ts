import { createHmac } from 'node:crypto';
import { captureServer, eventually, failOnLeaks, type CapturedRequest, type CaptureServer } from '@pay/testing';
import { aMerchant, anEvent, startService, type MerchantUnderTest, type ServiceUnderTest } from './service-under-test';
import { webhookApi } from './webhook-api';

failOnLeaks();

const SECRET = 'correct-horse-battery-staple';
/** The schedule's 5 s become 50 ms. */
const TIME_SCALE = 0.01;

const hmac = (text: string | Buffer, encoding: 'hex' | 'base64'): string =>
  createHmac('sha256', SECRET).update(text).digest(encoding);

describe('deliveries', () => {
  let service: ServiceUnderTest;
  let shop: CaptureServer;
  let merchant: MerchantUnderTest;
  const api = webhookApi(() => service);

  beforeAll(async () => {
    service = await startService({ timeScale: TIME_SCALE });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    shop = await captureServer();
    merchant = await aMerchant(service.db);
  });
  afterEach(() => shop.close());

  const register = async (over: object = {}, owner = merchant): Promise<string> => {
    const { status, body } = await api.register(owner, { url: `${shop.url}/hooks`, secret: SECRET, ...over });
    expect(status).toBe(201);
    return body.id;
  };
  const deliveries = async (query = ''): Promise<any[]> => (await api.deliveries(merchant, query)).body.data;
  const settled = (status: string): Promise<any> =>
    eventually(
      async () => (await deliveries()).find((delivery) => delivery.status === status),
      `a delivery becomes ${status}`,
    );
  const attemptsOf = (id: string): Promise<Record<string, any>[]> =>
    service.db.query('select * from attempts where delivery_id = $1 order by attempt', [id]);
  const idOf = (request: CapturedRequest | undefined): unknown => request?.headers['x-webhook-id'];

  test('an event reaches the endpoint, signed, and the delivery says so', async () => {
    const endpointId = await register();
    const event = anEvent('intent.paid', merchant);
    const intentId = event.data.intent.id;
    await service.announce(event);
    const request = await shop.waitFor(() => true);
    const delivery = await settled('DELIVERED');

    const { headers, rawBody } = request;
    expect(request).toMatchObject({ method: 'POST', path: '/hooks' });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      'user-agent': expect.stringContaining('Webhooks/'),
      'x-webhook-id': delivery.id,
      'x-webhook-event': 'payment.paid',
      'x-webhook-attempt': '1',
      'x-webhook-idempotency-key': `payment.paid:${intentId}`,
      'x-webhook-signature': `sha256=${hmac(rawBody, 'hex')}`,
      'webhook-id': delivery.id,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    });
    expect(Math.abs(Date.now() - Date.parse(String(headers['x-webhook-timestamp'])))).toBeLessThan(10_000);
    const signed = `${delivery.id}.${String(headers['webhook-timestamp'])}.${rawBody.toString()}`;
    expect(headers['webhook-signature']).toBe(`v1,${hmac(signed, 'base64')}`);
    expect(request.json()).toEqual({
      event: 'payment.paid',
      environment: 'SANDBOX',
      timestamp: event.occurredAt,
      data: {
        payment_intent_id: intentId,
        amount: '500.5',
        currency: 'BDT',
        customer_reference: 'INV-2041',
        merchant_reference: 'order "77" – ঢাকা',
        status: 'PAID',
        payment_method: 'BKASH_SEND_MONEY',
        receiver_msisdn: '01700000001',
        metadata: { cart: '7' },
        paid_at: event.data.intent.paidAt,
        trx_id: 'DKL4A1B2C3',
      },
    });
    expect(delivery).toEqual({
      id: expect.any(String),
      endpointId,
      paymentIntentId: intentId,
      eventType: 'payment.paid',
      status: 'DELIVERED',
      attempt: 1,
      statusCode: 200,
      idempotencyKey: `payment.paid:${intentId}`,
      deliveredAt: expect.any(String),
      createdAt: expect.any(String),
    });
    expect(await attemptsOf(delivery.id)).toMatchObject([
      { attempt: 1, outcome: 'SUCCESS', http_status: 200, trigger: 'schedule' },
    ]);
  });

  test.each([
    ['intent.review_required', 'payment.review_required'],
    ['intent.expired', 'payment.expired'],
    ['intent.rejected', 'payment.rejected'],
  ] as const)('%s is sent as %s', async (type, name) => {
    await register();
    await service.announce(anEvent(type, merchant));
    const request = await shop.waitFor(() => true);

    expect(request.headers['x-webhook-event']).toBe(name);
    expect(request.json()).toMatchObject({ event: name });
  });

  test('an event that is announced five times makes one delivery per subscribed endpoint', async () => {
    const paid = await register({ eventTypes: ['payment.paid'] });
    const all = await register();
    await register({ eventTypes: ['payment.expired'] });
    const event = anEvent('intent.paid', merchant);
    const again = Array.from({ length: 4 }, () => anEvent('intent.paid', merchant, event.data.intent));
    for (const each of [event, ...again]) await service.announce(each);
    const last = anEvent('intent.rejected', merchant);
    await service.announce(last);
    await shop.waitFor((request) => String(request.headers['x-webhook-event']) === 'payment.rejected');

    const found = (await deliveries(`?paymentIntentId=${event.data.intent.id}`)).map(({ endpointId }) => endpointId);
    expect(found.sort()).toEqual([paid, all].sort());
    await eventually(
      () => shop.requests.filter((request) => request.headers['x-webhook-event'] === 'payment.paid').length === 2,
      'both endpoints are sent to, once each',
    );
  });

  test('failures are retried by the schedule with the same id and bytes, and every attempt is kept', async () => {
    await register();
    const times: number[] = [];
    shop.respondWith((request, count) => {
      times.push(request.receivedAtMs);
      return count <= 3 ? { status: 500, body: `sorry ${count}` } : { status: 200 };
    });
    await service.announce(anEvent('intent.paid', merchant));
    const delivery = await settled('DELIVERED');

    expect(delivery).toMatchObject({ attempt: 4, statusCode: 200 });
    expect(new Set(shop.requests.map(idOf))).toEqual(new Set([delivery.id]));
    expect(new Set(shop.requests.map(({ rawBody }) => rawBody.toString('hex'))).size).toBe(1);
    expect(shop.requests.map(({ headers }) => headers['x-webhook-attempt'])).toEqual(['1', '2', '3', '4']);
    for (const { headers, rawBody } of shop.requests) {
      expect(headers['x-webhook-signature']).toBe(`sha256=${hmac(rawBody, 'hex')}`);
    }
    const waits = times.slice(1).map((time, index) => time - times[index]!);
    [5_000, 15_000, 30_000].forEach((planned, index) =>
      expect(waits[index]).toBeGreaterThanOrEqual(planned * TIME_SCALE),
    );
    expect(await attemptsOf(delivery.id)).toMatchObject([
      { attempt: 1, outcome: 'HTTP_5XX', http_status: 500, response: 'sorry 1' },
      { attempt: 2, outcome: 'HTTP_5XX', http_status: 500, response: 'sorry 2' },
      { attempt: 3, outcome: 'HTTP_5XX', http_status: 500, response: 'sorry 3' },
      { attempt: 4, outcome: 'SUCCESS', http_status: 200, response: null },
    ]);
  });

  test('while it is retried the delivery is RETRYING with the last code, and after the last entry FAILED', async () => {
    await register();
    shop.respondWith(() => ({ status: 503 }));
    await service.announce(anEvent('intent.paid', merchant));

    expect(await settled('RETRYING')).toMatchObject({ statusCode: 503, deliveredAt: null });
    expect(await settled('FAILED')).toMatchObject({ attempt: 6, statusCode: 503, deliveredAt: null });
    expect(shop.requests).toHaveLength(6);
  });

  test.each([202, 204])('%i is delivered', async (status) => {
    await register();
    shop.respondWith(() => ({ status }));
    await service.announce(anEvent('intent.paid', merchant));

    expect(await settled('DELIVERED')).toMatchObject({ statusCode: status, attempt: 1 });
  });

  test('a redirect is a failure that nobody follows', async () => {
    const canary = await captureServer();
    await register();
    shop.respondWith(() => ({ status: 307, headers: { location: `${canary.url}/` } }));
    await service.announce(anEvent('intent.paid', merchant));
    const delivery = await settled('RETRYING');

    expect((await attemptsOf(delivery.id))[0]).toMatchObject({ outcome: 'HTTP_REDIRECT', http_status: 307 });
    expect(canary.requests).toHaveLength(0);
    await canary.close();
  });

  test('Retry-After is waited for', async () => {
    await register();
    shop.respondWith((_, count) => (count === 1 ? { status: 429, headers: { 'retry-after': '60' } } : { status: 200 }));
    await service.announce(anEvent('intent.paid', merchant));
    const delivery = await settled('DELIVERED');
    const [before, after] = shop.requests.map(({ receivedAtMs }) => receivedAtMs);

    expect(delivery.attempt).toBe(2);
    expect(after! - before!).toBeGreaterThanOrEqual(60_000 * TIME_SCALE);
  });

  test('an endpoint that hangs does not hold up another', async () => {
    const hanging = await captureServer();
    hanging.respondWith(() => undefined);
    await register({ url: `${hanging.url}/` });
    await register();
    const events = Array.from({ length: 30 }, () => anEvent('intent.paid', merchant));
    await service.announce(...events);

    await eventually(() => shop.requests.length === 30, 'the healthy endpoint gets everything');
    expect(hanging.requests.length).toBeLessThanOrEqual(8);
    await hanging.close();
  });

  test('what a lost process had claimed is sent again after its lease, under the same id', async () => {
    await register();
    shop.respondWith((_, count) => (count === 1 ? undefined : { status: 200 }));
    await service.announce(anEvent('intent.paid', merchant));
    const first = await shop.waitFor(() => true);
    // As if this process had been killed with the request in flight: nobody else's lease, and its end has come.
    await service.db.execute('update deliveries set lease_owner = $1, next_attempt_at = now() where id = $2', [
      '00000000-0000-4000-8000-000000000000',
      idOf(first),
    ]);
    const delivery = await settled('DELIVERED');

    expect(shop.requests.map(idOf)).toEqual([delivery.id, delivery.id]);
    expect(await attemptsOf(delivery.id)).toMatchObject([
      { attempt: 1, outcome: 'UNKNOWN', http_status: null },
      { attempt: 2, outcome: 'SUCCESS', http_status: 200 },
    ]);
  });

  test('a late result of a lost lease changes the attempt, not the delivery', async () => {
    await register();
    shop.respondWith((_, count) => (count === 1 ? { status: 500, afterMs: 700 } : { status: 200 }));
    await service.announce(anEvent('intent.paid', merchant));
    const first = await shop.waitFor(() => true);
    await service.db.execute('update deliveries set next_attempt_at = now() where id = $1', [idOf(first)]);
    const delivery = await settled('DELIVERED');
    const attempts = await eventually(async () => {
      const rows = await attemptsOf(delivery.id);
      return rows[0]?.['outcome'] === 'HTTP_5XX' && rows;
    }, 'the late answer is recorded');

    expect(attempts).toMatchObject([{ outcome: 'HTTP_5XX' }, { outcome: 'SUCCESS' }]);
    expect((await deliveries())[0]).toMatchObject({ status: 'DELIVERED', statusCode: 200, attempt: 2 });
  });

  test('events of one environment never reach endpoints of the other, nor other merchants', async () => {
    const stranger = await aMerchant(service.db);
    const live = { ...merchant, environment: 'LIVE' as const };
    await register({ url: `${shop.url}/stranger` }, stranger);
    await register();
    await service.announce(anEvent('intent.paid', live), anEvent('intent.paid', merchant));
    await settled('DELIVERED');

    expect(shop.requests.map(({ path }) => path)).toEqual(['/hooks']);
    expect((await api.deliveries(stranger)).body).toMatchObject({ data: [], total: 0 });
    expect((await deliveries()).length).toBe(1);
  });

  test('an endpoint registered later gets later events alone', async () => {
    await register({ url: `${shop.url}/early` });
    await service.announce(anEvent('intent.paid', merchant));
    await settled('DELIVERED');
    await register({ url: `${shop.url}/late` });
    await service.announce(anEvent('intent.paid', merchant));
    await shop.waitFor(({ path }) => path === '/late');
    await eventually(() => shop.requests.length === 3, 'all three requests are there');

    expect(shop.requests.map(({ path }) => path).sort()).toEqual(['/early', '/early', '/late']);
  });

  test('for a LIVE endpoint that is not verified the delivery is made and held', async () => {
    const live = await aMerchant(service.db, 'LIVE');
    await register({ url: 'https://shop.example/hooks' }, live);
    await service.announce(anEvent('intent.paid', live));
    const held = await eventually(async () => (await api.deliveries(live)).body.data[0], 'the delivery is listed');

    expect(held).toMatchObject({ status: 'PENDING', attempt: 0, statusCode: null });
    const [row] = await service.db.query('select next_attempt_at, lease_owner from deliveries where id = $1', [
      held.id,
    ]);
    expect(row).toEqual({ next_attempt_at: null, lease_owner: null });
  });

  test('what becomes due for an endpoint that was switched off is held, for a deleted one failed', async () => {
    const off = await register({ url: `${shop.url}/off` });
    const deleted = await register({ url: `${shop.url}/deleted` });
    shop.respondWith(() => ({ status: 500 }));
    await service.announce(anEvent('intent.paid', merchant));
    await eventually(async () => (await deliveries('?status=RETRYING')).length === 2, 'both are being retried');
    await service.db.execute('update endpoints set is_active = false where id = $1', [off]);
    expect((await api.remove(merchant, deleted)).status).toBe(204);

    await eventually(async () => {
      const rows = await service.db.query<{ endpoint_id: string; status: string }>(
        'select endpoint_id, status from deliveries where merchant_id = $1 and next_attempt_at is null',
        [merchant.id],
      );
      const statuses = new Map(rows.map((row) => [row.endpoint_id, row.status]));
      return statuses.get(off) === 'RETRYING' && statuses.get(deleted) === 'FAILED';
    }, 'one is held, the other failed');
  });

  test('a second 410 a minute later switches the endpoint off, one alone does not', async () => {
    const id = await register();
    shop.respondWith((_, count) => ({ status: count <= 1 ? 410 : count <= 2 ? 200 : 410 }));
    await service.announce(anEvent('intent.paid', merchant));
    await settled('DELIVERED');
    expect((await api.endpoint(merchant, id)).body.isActive).toBe(true);

    await service.announce(anEvent('intent.paid', merchant));
    await eventually(async () => !(await api.endpoint(merchant, id)).body.isActive, 'the endpoint is switched off');
    const sent = shop.requests.length;
    await service.announce(anEvent('intent.paid', merchant));
    await eventually(async () => (await deliveries('?status=PENDING')).length === 1, 'later events are held');

    expect(shop.requests).toHaveLength(sent);
    expect(service.lines).toContainEqual(expect.objectContaining({ msg: 'endpoint.switched_off', endpointId: id }));
  });

  test('the list is filtered, paged, and newest first', async () => {
    const endpointId = await register();
    const second = await register({ eventTypes: ['payment.expired'] });
    const events = [
      anEvent('intent.paid', merchant),
      anEvent('intent.paid', merchant),
      anEvent('intent.expired', merchant),
    ];
    for (const event of events) {
      await service.announce(event);
      await eventually(
        async () => (await deliveries(`?paymentIntentId=${event.data.intent.id}&status=DELIVERED`)).length > 0,
        'it is delivered',
      );
    }
    await eventually(
      async () => (await api.deliveries(merchant, '?status=DELIVERED')).body.total === 4,
      'all four are',
    );
    const idsOf = async (query: string): Promise<string[]> => (await deliveries(query)).map(({ id }) => id);
    const all = await idsOf('');

    expect(all).toEqual([...all].sort().reverse());
    expect((await api.deliveries(merchant, '?page=2&limit=3')).body).toMatchObject({
      total: 4,
      page: 2,
      limit: 3,
      data: [{ id: all[3] }],
    });
    expect((await deliveries(`?endpointId=${endpointId}`)).length).toBe(3);
    expect((await deliveries(`?endpointId=${second}`)).length).toBe(1);
    expect((await deliveries('?eventType=payment.expired')).length).toBe(2);
    expect((await deliveries(`?paymentIntentId=${events[0]!.data.intent.id}`)).length).toBe(1);
    expect((await deliveries('?status=FAILED')).length).toBe(0);
    for (const query of ['?status=delivered', '?eventType=x', '?endpointId=7', '?paymentIntentId=x', '?limit=-1']) {
      expect((await api.deliveries(merchant, query)).status).toBe(400);
    }
  });

  test('each attempt is one line and one count, and no line holds a secret or a body', async () => {
    await register();
    const event = anEvent('intent.paid', merchant);
    await service.announce(event);
    const delivery = await settled('DELIVERED');
    const line = await eventually(
      () => service.lines.find((each) => each['msg'] === 'delivery.attempted' && each['deliveryId'] === delivery.id),
      'the line is written',
    );

    expect(line).toMatchObject({
      endpointId: delivery.endpointId,
      paymentIntentId: event.data.intent.id,
      eventType: 'payment.paid',
      attempt: 1,
      outcome: 'SUCCESS',
      httpStatus: 200,
      status: 'DELIVERED',
      durationMs: expect.any(Number),
    });
    const lines = JSON.stringify(service.lines);
    for (const secret of [SECRET, 'DKL4A1B2C3', '01700000001', 'INV-2041']) expect(lines).not.toContain(secret);
    const metrics = await service.metrics.registry.metrics();
    expect(metrics).toMatch(/webhook_attempts_total\{outcome="SUCCESS",service="webhook-dispatcher"\} [1-9]/);
    expect(metrics).toMatch(/webhook_event_to_first_attempt_seconds_count\{.*\} [1-9]/);
    expect(metrics).toMatch(/webhook_requests_in_flight\{.*\} \d/);
    expect(metrics).toMatch(/webhook_deliveries_due\{.*\} \d/);
  });
});
