import { webhookBodySchemas } from '@pay/contracts';
import { eventually, failOnLeaks } from '@pay/testing';
import { aMerchant, anAlert, anEvent } from './service-under-test';
import { hmac, SECRET, stage } from './stage';

failOnLeaks();

describe('deliveries', () => {
  const on = stage();

  test('sends a signed event to the endpoint and marks the delivery', async () => {
    const endpointId = await on.register();
    const event = anEvent('intent.paid', on.merchant);
    const intentId = event.data.intent.id;
    await on.service.announce(event);
    const request = await on.shop.waitFor(() => true);
    const delivery = await on.settled('DELIVERED');

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
    expect(Math.abs(Date.now() - Date.parse(String(headers['x-webhook-timestamp'])))).toBeLessThan(60_000);
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
        chosen_payment_method: null,
        chosen_receiver_msisdn: null,
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
    expect(await on.attemptsOf(delivery.id)).toMatchObject([
      { attempt: 1, outcome: 'SUCCESS', http_status: 200, trigger: 'schedule' },
    ]);
  });

  test.each([
    ['intent.review_required', 'payment.review_required'],
    ['intent.expired', 'payment.expired'],
    ['intent.rejected', 'payment.rejected'],
  ] as const)('%s is sent as %s', async (type, name) => {
    await on.register();
    await on.service.announce(anEvent(type, on.merchant));
    const request = await on.shop.waitFor(() => true);

    expect(request.headers['x-webhook-event']).toBe(name);
    expect(request.json()).toMatchObject({ event: name });
  });

  test('sends alerts only to endpoints that name them, without a payment, and not in the event feed', async () => {
    const [, alerted] = [await on.register(), await on.register({ eventTypes: ['alert.opened', 'alert.closed'] })];
    const alert = anAlert('alert.opened', on.merchant);
    await on.service.announce(alert, { ...anAlert('alert.opened', on.merchant), data: alert.data });
    const request = await on.shop.waitFor(() => true);
    const delivery = await on.settled('DELIVERED');
    const { alertId, kind, subject, name, count, since, openedAt } = alert.data;

    expect(request.headers['x-webhook-idempotency-key']).toBe(`alert.opened:${alertId}`);
    const body = request.json();
    expect(webhookBodySchemas['alert.opened'].parse(body)).toEqual(body);
    expect(body).toEqual({
      event: 'alert.opened',
      environment: 'SANDBOX',
      timestamp: alert.occurredAt,
      data: {
        alert_id: alertId,
        kind,
        subject,
        name,
        count,
        since,
        opened_at: openedAt,
        closed_at: null,
      },
    });
    expect(delivery).toMatchObject({ endpointId: alerted, paymentIntentId: null, eventType: 'alert.opened' });
    expect((await on.api.deliveries(on.merchant)).body.total).toBe(1);
    expect((await on.api.events(on.merchant)).body.data).toEqual([]);

    await on.service.announce(anAlert('alert.closed', on.merchant, { ...alert.data, closedAt: openedAt }));
    await on.shop.waitFor(({ headers }) => headers['x-webhook-event'] === 'alert.closed');
  });

  test('creates one delivery per subscribed endpoint when an event is published five times', async () => {
    const paid = await on.register({ eventTypes: ['payment.paid'] });
    const all = await on.register();
    await on.register({ eventTypes: ['payment.expired'] });
    const event = anEvent('intent.paid', on.merchant);
    const again = Array.from({ length: 4 }, () => anEvent('intent.paid', on.merchant, event.data.intent));
    for (const each of [event, ...again]) await on.service.announce(each);
    const last = anEvent('intent.rejected', on.merchant);
    await on.service.announce(last);
    await on.shop.waitFor((request) => String(request.headers['x-webhook-event']) === 'payment.rejected');
    const [taken] = await on.service.db.query('select count(*)::int as events from inbox where message_id = any($1)', [
      [event, ...again, last].map(({ id }) => id),
    ]);

    expect(taken).toEqual({ events: 6 });
    const found = (await on.deliveries(`?paymentIntentId=${event.data.intent.id}`)).map(({ endpointId }) => endpointId);
    expect(found.sort()).toEqual([paid, all].sort());
    // On a busy machine an attempt may be repeated, under the id of its delivery.
    const sent = () => on.shop.requests.filter(({ headers }) => headers['x-webhook-event'] === 'payment.paid');
    const ids = () => new Set(sent().map(({ headers }) => headers['x-webhook-id']));
    await eventually(() => ids().size === 2, 'both endpoints receive it, each under one id');
  });

  test('never sends events to endpoints of another environment or merchant', async () => {
    const otherMerchant = await aMerchant(on.service.db);
    const live = { ...on.merchant, environment: 'LIVE' as const };
    await on.register({ url: `${on.shop.url}/other` }, otherMerchant);
    await on.register();
    const events = [live, otherMerchant, on.merchant].map((owner) => anEvent('intent.paid', owner));
    await on.service.announce(...events);
    await eventually(() => on.shop.requests.length >= 2, 'both merchants receive a webhook');
    const planned = await on.service.db.query<{ path: string; ids: string[] }>(
      `select regexp_replace(url, '.*/', '/') as path, array_agg(payment_intent_id) as ids
       from deliveries d join endpoints e on e.id = d.endpoint_id where payment_intent_id = any($1) group by 1 order by 1`,
      [events.map(({ data }) => data.intent.id)],
    );

    expect(planned).toEqual([
      { path: '/hooks', ids: [events[2]!.data.intent.id] },
      { path: '/other', ids: [events[1]!.data.intent.id] },
    ]);
    expect(on.shop.requests.map(({ path }) => path).sort()).toEqual(['/hooks', '/other']);
    expect((await on.deliveries()).length).toBe(1);
    expect((await on.api.deliveries(otherMerchant)).body.total).toBe(1);
    expect((await on.deliveries(`?paymentIntentId=${events[1]!.data.intent.id}`)).length).toBe(0);
  });

  test('sends only later events to an endpoint that is registered later', async () => {
    await on.register({ url: `${on.shop.url}/early` });
    await on.service.announce(anEvent('intent.paid', on.merchant));
    await on.settled('DELIVERED');
    await on.register({ url: `${on.shop.url}/late` });
    await on.service.announce(anEvent('intent.paid', on.merchant));
    await on.shop.waitFor(({ path }) => path === '/late');
    await eventually(() => on.shop.requests.length === 3, 'all three requests are there');

    expect(on.shop.requests.map(({ path }) => path).sort()).toEqual(['/early', '/early', '/late']);
  });

  test('creates and holds deliveries for an unverified LIVE endpoint until it is deleted', async () => {
    const live = await aMerchant(on.service.db, 'LIVE');
    const endpointId = await on.register({ url: 'https://shop.example/hooks' }, live);
    await on.service.announce(anEvent('intent.paid', live));
    const held = await eventually(async () => (await on.api.deliveries(live)).body.data[0], 'the delivery is listed');

    expect(held).toMatchObject({ status: 'PENDING', attempt: 0, statusCode: null });
    const [row] = await on.service.db.query('select next_attempt_at, lease_owner from deliveries where id = $1', [
      held.id,
    ]);
    expect(row).toEqual({ next_attempt_at: null, lease_owner: null });

    await on.api.remove(live, endpointId);
    expect((await on.api.deliveries(live)).body.data).toMatchObject([{ id: held.id, status: 'FAILED', attempt: 0 }]);
  });

  test('lists deliveries with filters and pages, newest first', async () => {
    const endpointId = await on.register();
    const second = await on.register({ eventTypes: ['payment.expired'] });
    const events = [
      anEvent('intent.paid', on.merchant),
      anEvent('intent.paid', on.merchant),
      anEvent('intent.expired', on.merchant),
    ];
    for (const event of events) {
      await on.service.announce(event);
      await eventually(
        async () => (await on.deliveries(`?paymentIntentId=${event.data.intent.id}&status=DELIVERED`)).length > 0,
        'it is delivered',
      );
    }
    await eventually(
      async () => (await on.api.deliveries(on.merchant, '?status=DELIVERED')).body.total === 4,
      'all four are',
    );
    const idsOf = async (query: string): Promise<string[]> => (await on.deliveries(query)).map(({ id }) => id);
    const all = await idsOf('');

    expect(all).toEqual([...all].sort().reverse());
    expect((await on.api.deliveries(on.merchant, '?page=2&limit=3')).body).toMatchObject({
      total: 4,
      page: 2,
      limit: 3,
      data: [{ id: all[3] }],
    });
    expect((await on.deliveries(`?endpointId=${endpointId}`)).length).toBe(3);
    expect((await on.deliveries(`?endpointId=${second}`)).length).toBe(1);
    expect((await on.deliveries('?eventType=payment.expired')).length).toBe(2);
    expect((await on.deliveries(`?paymentIntentId=${events[0]!.data.intent.id}`)).length).toBe(1);
    expect((await on.deliveries('?status=FAILED')).length).toBe(0);
    for (const query of ['?status=delivered', '?eventType=x', '?endpointId=7', '?paymentIntentId=x', '?limit=-1']) {
      expect((await on.api.deliveries(on.merchant, query)).status).toBe(400);
    }
  });

  test('logs and counts each attempt once, without secret or body', async () => {
    await on.register();
    const event = anEvent('intent.paid', on.merchant);
    await on.service.announce(event);
    const delivery = await on.settled('DELIVERED');
    const line = await eventually(
      () => on.service.lines.find((each) => each['msg'] === 'delivery.attempted' && each['deliveryId'] === delivery.id),
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
    const lines = JSON.stringify(on.service.lines);
    for (const secret of [SECRET, 'DKL4A1B2C3', '01700000001', 'INV-2041']) expect(lines).not.toContain(secret);
    const metrics = await on.service.metrics.registry.metrics();
    expect(metrics).toMatch(/webhook_attempts_total\{environment="SANDBOX",outcome="SUCCESS".*\} [1-9]/);
    expect(metrics).toMatch(/webhook_event_to_first_attempt_seconds_count\{.*\} [1-9]/);
    expect(metrics).toMatch(/webhook_requests_in_flight\{.*\} \d/);
    expect(metrics).toMatch(/webhook_deliveries_due\{.*\} \d/);
    for (const environment of ['LIVE', 'SANDBOX']) {
      expect(metrics).toContain(`webhook_first_attempt_oldest_seconds{environment="${environment}"`);
      expect(metrics).toMatch(new RegExp(`webhook_endpoints_active\\{.*environment="${environment}".*\\} \\d`));
      expect(metrics).toMatch(new RegExp(`webhook_endpoints_broken\\{.*environment="${environment}".*\\} \\d`));
    }
  });
});
