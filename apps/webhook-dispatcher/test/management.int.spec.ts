import { randomUUID } from 'node:crypto';
import type { Transaction } from '@pay/persistence';
import { createLogger } from '@pay/runtime';
import { eventually, failOnLeaks, type CapturedRequest } from '@pay/testing';
import { Webhook } from 'standardwebhooks';
import { uuidv7 } from 'uuidv7';
import { lockEndpoint } from '../src/endpoints/endpoint-change-repository';
import { beginRecovery } from '../src/endpoints/recovery-request-repository';
import { takeRecovery } from '../src/recovery/recovery-repository';
import { createRecoveries } from '../src/recovery/run-recoveries';
import { aMerchant, anEvent, startService } from './service-under-test';
import { aSignal, hmac, idOf, SECRET, stage } from './stage';
import { webhookApi } from './webhook-api';

failOnLeaks();

/** Of one endpoint, in tests. */
const SLOTS = 8;
const NEW_SECRET = 'another-horse-another-battery';
const standard = (secret: string) => new Webhook(`whsec_${Buffer.from(secret).toString('base64')}`);
const isGenuine = (secret: string, { rawBody, headers }: CapturedRequest): boolean => {
  try {
    standard(secret).verify(rawBody.toString(), headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
};

describe('management of endpoints and deliveries', () => {
  const on = stage(0.001);

  const paid = async (): Promise<any> => {
    const event = anEvent('intent.paid', on.merchant);
    await on.service.announce(event);
    return eventually(
      async () => (await on.deliveries(`?paymentIntentId=${event.data.intent.id}&status=DELIVERED`))[0],
      'it is delivered',
    );
  };

  test('signs with both secrets during the overlap, with the old one in X-Webhook-Signature, and afterwards only with the new one', async () => {
    const id = await on.register();
    const { status, body } = await on.api.rotate(on.merchant, id, { secret: NEW_SECRET });
    expect({ status, body }).toMatchObject({ status: 200, body: { id, secretOverlapEndsAt: expect.any(String) } });
    const hours = (Date.parse(body.secretOverlapEndsAt) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    await paid();
    const [both] = on.shop.requests;
    expect(both!.headers['x-webhook-signature']).toBe(`sha256=${hmac(both!.rawBody, 'hex')}`);
    expect(both!.headers['x-webhook-signature-next']).toBe(`sha256=${hmac(both!.rawBody, 'hex', NEW_SECRET)}`);
    expect([SECRET, NEW_SECRET].map((secret) => isGenuine(secret, both!))).toEqual([true, true]);

    expect((await on.api.finishRotation(on.merchant, id)).body.secretOverlapEndsAt).toBeNull();
    await paid();
    const last = on.shop.requests.at(-1)!;
    expect(last.headers['x-webhook-signature']).toBe(`sha256=${hmac(last.rawBody, 'hex', NEW_SECRET)}`);
    expect(last.headers).not.toHaveProperty('x-webhook-signature-next');
    expect([SECRET, NEW_SECRET].map((secret) => isGenuine(secret, last))).toEqual([false, true]);

    await on.api.rotate(on.merchant, id, { secret: SECRET, overlapSeconds: 1 });
    await on.service.db.execute('update endpoints set secret_overlap_ends_at = now() where id = $1', [id]);
    await paid();
    expect(isGenuine(NEW_SECRET, on.shop.requests.at(-1)!)).toBe(false);
    expect((await on.api.finishRotation(on.merchant, id)).status).toBe(200);
    await on.api.rotate(on.merchant, id, { secret: NEW_SECRET, overlapSeconds: 0 });
    await paid();
    expect([SECRET, NEW_SECRET].map((secret) => isGenuine(secret, on.shop.requests.at(-1)!))).toEqual([false, true]);

    const kept = JSON.stringify([
      await on.service.db.query('select * from endpoints'),
      (await on.api.endpoint(on.merchant, id)).body,
      on.service.lines,
    ]);
    for (const secret of [SECRET, NEW_SECRET]) expect(kept).not.toContain(secret);
  });

  test('after a rotation without overlap at another replica, deliveries that wait for a slot are signed with the new secret', async () => {
    const id = await on.register();
    for (let fast = 0; fast < 12; fast += 1) await paid();
    const isOpen = aSignal();
    on.shop.respondWith(async () => {
      await isOpen.given;
      return { status: 200 };
    });
    const before = on.shop.requests.length;
    const events = Array.from({ length: SLOTS + 4 }, () => anEvent('intent.paid', on.merchant));
    await on.service.announce(...events);
    await eventually(() => on.shop.requests.length === before + SLOTS, 'every slot of the endpoint is taken');
    const leased = () =>
      on.service.db.query('select from deliveries where endpoint_id = $1 and lease_owner is not null', [id]);
    expect((await leased()).length).toBe(events.length);

    const other = await startService({ timeScale: 0.001, beside: on.service });
    try {
      const api = webhookApi(() => other);
      const areSentByOther = async () => {
        // Repeated, because the broadcast of a new replica may be lost.
        await api.rotate(on.merchant, id, { secret: NEW_SECRET, overlapSeconds: 0 });
        return on.shop.requests.length === before + events.length;
      };
      await eventually(areSentByOther, 'the replica that has free slots sends what was waiting');
      isOpen.give();
      const last = on.shop.requests.slice(before + SLOTS);
      expect(last.map((request) => isGenuine(NEW_SECRET, request))).toEqual([true, true, true, true]);
    } finally {
      await other.stop();
    }
  });

  test.each([
    ['a short secret', { secret: 'short' }, 'secret'],
    ['more than 7 days', { secret: NEW_SECRET, overlapSeconds: 604_801 }, 'overlapSeconds'],
    ['part of a second', { secret: NEW_SECRET, overlapSeconds: 1.5 }, 'overlapSeconds'],
  ])('%s is not a valid rotation', async (_, body, field) => {
    const reply = await on.api.rotate(on.merchant, await on.register(), body);

    expect(reply.status).toBe(400);
    expect(reply.body.message[0]).toContain(field);
  });

  test('sends a test event like any delivery, marked so that it cannot be mistaken for a payment', async () => {
    const id = await on.register({ eventTypes: ['payment.expired'] });
    const { status, body } = await on.api.test(on.merchant, id);
    const request = await on.shop.waitFor(() => true);
    const delivered = await on.settled('DELIVERED');

    expect({ status, body }).toMatchObject({
      status: 200,
      body: { endpointId: id, eventType: 'webhook.test', paymentIntentId: null, status: 'PENDING' },
    });
    expect(delivered).toMatchObject({ id: body.id, attempt: 1, idempotencyKey: `webhook.test:${body.id}` });
    expect(request.headers).toMatchObject({ 'x-webhook-event': 'webhook.test', 'x-webhook-id': body.id });
    expect(request.json()).toMatchObject({ event: 'webhook.test', environment: 'SANDBOX', data: { test: true } });
    expect(isGenuine(SECRET, request)).toBe(true);
    expect((await on.deliveries('?eventType=webhook.test')).length).toBe(1);
  });

  test('shows every attempt of a delivery with request and response, without signature', async () => {
    await on.register();
    on.shop.respondWith((_, count) =>
      count === 1
        ? { status: 503, body: 'come back later', headers: { 'x-served-by': 'web-3', 'set-cookie': 'session=1' } }
        : { status: 200, body: 'thanks' },
    );
    const { id } = await paid();
    const { status, body } = await on.api.delivery(on.merchant, id);

    expect(status).toBe(200);
    expect(body).toMatchObject({ id, status: 'DELIVERED', attempt: 2, statusCode: 200, nextAttemptAt: null });
    expect(body.body).toBe(on.shop.requests[0]!.rawBody.toString());
    expect(body.attempts).toMatchObject([
      {
        attempt: 1,
        trigger: 'schedule',
        outcome: 'HTTP_5XX',
        durationMs: expect.any(Number),
        response: { statusCode: 503, headers: { 'x-served-by': 'web-3' }, body: 'come back later' },
      },
      { attempt: 2, outcome: 'SUCCESS', response: { statusCode: 200, headers: null, body: 'thanks' } },
    ]);
    for (const [index, { request }] of body.attempts.entries()) {
      const sent = on.shop.requests[index]!.headers;
      expect(Object.keys(request.headers).length).toBeGreaterThanOrEqual(10);
      for (const [name, value] of Object.entries(request.headers)) expect(sent[name.toLowerCase()]).toBe(value);
      expect(Object.keys(request.headers).join().toLowerCase()).not.toContain('signature');
    }
    expect(JSON.stringify(body)).not.toContain('session=1');
    const otherMerchant = await aMerchant(on.service.db);
    expect((await on.api.delivery(otherMerchant, id)).status).toBe(404);
    expect((await on.api.redeliver(otherMerchant, id)).status).toBe(404);
    expect((await on.api.delivery(on.merchant, randomUUID())).status).toBe(404);
  });

  test('sends a delivery twice more under its id when it is requested twice, also during an attempt', async () => {
    await on.register();
    const { id } = await paid();
    const askedAgain = aSignal();
    on.shop.respondWith((_, count) => (count === 2 ? askedAgain.given.then(() => ({ status: 500 })) : { status: 200 }));
    const asked = await on.api.redeliver(on.merchant, id);
    await eventually(() => on.shop.requests.length === 2, 'the first is under way');
    await on.api.redeliver(on.merchant, id);
    askedAgain.give();
    const done = await eventually(
      async () => (await on.deliveries('?status=DELIVERED')).find(({ attempt }) => attempt >= 3),
      'it is delivered again',
    );

    expect(asked).toMatchObject({ status: 200, body: { id, status: 'PENDING' } });
    expect(done).toMatchObject({ id, attempt: 3 });
    expect(new Set(on.shop.requests.map(idOf))).toEqual(new Set([id]));
    expect(new Set(on.shop.requests.map(({ rawBody }) => rawBody.toString())).size).toBe(1);
    expect((await on.attemptsOf(id)).map(({ trigger }) => trigger)).toEqual(['schedule', 'resend', 'resend']);
  });

  test('restarts the schedule of a failed delivery on request', async () => {
    const id = await on.register();
    // SANDBOX has six attempts.
    on.shop.respondWith((_, count) => ({ status: count < 9 ? 400 : 200 }));
    await on.service.announce(anEvent('intent.paid', on.merchant));
    const failed = await on.settled('FAILED');
    await on.api.redeliver(on.merchant, failed.id);

    expect(await on.settled('DELIVERED')).toMatchObject({ id: failed.id });
    await on.api.change(on.merchant, id, { isActive: false });
    for (const reply of [await on.api.redeliver(on.merchant, failed.id), await on.api.test(on.merchant, id)]) {
      expect(reply).toMatchObject({ status: 409, body: { code: 'ENDPOINT_NOT_ACTIVE' } });
    }
  });

  test('refuses a change of the secret, which only a rotation makes', async () => {
    const id = await on.register();

    expect(await on.api.change(on.merchant, id, { isActive: false, secret: 'another_long_secret' })).toMatchObject({
      status: 400,
      body: { message: ['secret cannot be changed here; use POST /v1/webhooks/endpoints/:id/rotate-secret'] },
    });
    expect(await on.api.change(on.merchant, id, { secret: null })).toMatchObject({
      status: 200,
      body: { isActive: true },
    });
  });

  test('recovery sends failed, held and missing deliveries again and reports its progress', async () => {
    const start = new Date(Date.now() - 60_000).toISOString();
    const missed = anEvent('intent.expired', on.merchant);
    await on.service.announce(missed);
    await eventually(async () => (await on.api.events(on.merchant)).body.data.length === 1, 'it is in the feed');
    const id = await on.register();
    on.shop.respondWith(() => ({ status: 400 }));
    await on.service.announce(anEvent('intent.paid', on.merchant));
    const failed = await on.settled('FAILED');
    on.shop.respondWith(() => ({ status: 200 }));
    await on.api.change(on.merchant, id, { isActive: false });
    await on.service.announce(anEvent('intent.paid', on.merchant));
    const held = await on.settled('PENDING');
    expect((await on.api.recover(on.merchant, id, { since: start })).body.code).toBe('ENDPOINT_NOT_ACTIVE');
    await on.api.change(on.merchant, id, { isActive: true });
    await on.api.test(on.merchant, id);
    const test = await on.settled('DELIVERED');
    expect(test.eventType).toBe('webhook.test');
    expect(await on.settled('PENDING')).toMatchObject({ id: held.id, attempt: 0 });
    const before = on.shop.requests.length;

    expect((await on.api.recovery(on.merchant, id)).body).toEqual({ recovery: null });
    const { status, body } = await on.api.recover(on.merchant, id, { since: start });
    expect({ status, body }).toMatchObject({ status: 200, body: { endpointId: id, since: start, status: 'RUNNING' } });
    const done = await eventually(async () => {
      const { recovery } = (await on.api.recovery(on.merchant, id)).body;
      return recovery.status === 'DONE' ? recovery : undefined;
    }, 'the recovery is done');
    await eventually(async () => (await on.deliveries('?status=DELIVERED')).length === 4, 'all of them are delivered');

    expect(done).toMatchObject({ id: body.id, redelivered: 2, created: 1, finishedAt: expect.any(String) });
    const sent = on.shop.requests.slice(before);
    const ids = sent.map(idOf);
    expect(ids).toContain(failed.id);
    expect(ids).toContain(held.id);
    expect(sent.map((request) => (request.json() as any).data.payment_intent_id)).toContain(missed.data.intent.id);
    expect((await on.attemptsOf(held.id)).map(({ trigger }) => trigger)).toEqual(['recover']);
    await on.api.recover(on.merchant, id, { since: start });
    await eventually(
      async () => (await on.api.recovery(on.merchant, id)).body.recovery.status === 'DONE',
      'it is done again',
    );
    expect((await on.deliveries()).length).toBe(4);
    expect(on.shop.requests.length).toBe(before + 3);
  });

  test('recovery of a delivery whose row was deleted sends it under the id that it had, to each of two endpoints', async () => {
    const endpoints = [await on.register({ url: `${on.shop.url}/1` }), await on.register({ url: `${on.shop.url}/2` })];
    const since = new Date(Date.now() - 60_000).toISOString();
    await on.service.announce(anEvent('intent.paid', on.merchant));
    await eventually(async () => (await on.deliveries('?status=DELIVERED')).length === 2, 'both are delivered');
    const sentBetween = (from: number) =>
      on.shop.requests
        .slice(from)
        .map((request) => `${request.path} ${String(idOf(request))}`)
        .sort();
    const before = sentBetween(0);
    await on.service.db.execute(
      'delete from attempts a using deliveries d where d.id = a.delivery_id and d.merchant_id = $1',
      [on.merchant.id],
    );
    await on.service.db.execute('delete from deliveries where merchant_id = $1', [on.merchant.id]);

    for (const id of endpoints) await on.api.recover(on.merchant, id, { since });
    await eventually(async () => (await on.deliveries('?status=DELIVERED')).length === 2, 'both are delivered again');

    expect(new Set(before.map((line) => line.split(' ')[1])).size).toBe(2);
    expect(sentBetween(before.length)).toEqual(before);
  });

  test.each([
    ['no time', {}],
    ['no such time', { since: 'yesterday' }],
  ])('%s is refused in a sentence about since', async (_, body) => {
    const reply = await on.api.recover(on.merchant, await on.register(), body);

    expect(reply.status).toBe(400);
    expect(reply.body.message[0]).toMatch(/^since/);
  });

  test('refuses a time in the future', async () => {
    const since = new Date(Date.now() + 3_600_000).toISOString();

    expect(await on.api.recover(on.merchant, await on.register(), { since })).toMatchObject({
      status: 409,
      body: { code: 'TIME_OUT_OF_RANGE', message: 'since must not be in the future' },
    });
  });

  test('recovery reaches 30 days back and states that when more is requested', async () => {
    const since = new Date(Date.now() - 60 * 86_400_000).toISOString();
    const { status, body } = await on.api.recover(on.merchant, await on.register(), { since });

    expect(status).toBe(200);
    expect((Date.now() - Date.parse(body.since)) / 86_400_000).toBeCloseTo(30, 1);
  });

  test('a recovery is postponed while its endpoint is being changed, so that the change does not wait', async () => {
    const id = await on.register();
    const { db } = on.service;
    const since = new Date();
    const begin = (tx: Transaction) => beginRecovery(tx, { id: uuidv7(), endpointId: id, kind: 'ASKED', since });
    // No worker is woken; it polls later.
    await db.transaction(begin);
    await db.transaction(async (change) => {
      await lockEndpoint(change, { merchantId: on.merchant.id, environment: on.merchant.environment }, id);

      // Recoveries of earlier tests may still be open, and are taken first.
      const taken: (string | undefined)[] = [];
      await eventually(async () => {
        taken.push((await db.transaction(takeRecovery))?.endpointId);
        return taken.at(-1) === undefined;
      }, 'no recovery is left whose endpoint is not locked');
      expect(taken).not.toContain(id);
      await begin(change);
    });

    await eventually(
      async () => (await on.api.recovery(on.merchant, id)).body.recovery.status === 'DONE',
      'the recovery is done after the change',
    );
  });

  test('an interrupted recovery of many batches continues and sends everything once', async () => {
    const endpointId = await on.register();
    const { db } = on.service;
    // Nothing is sent, so that what became due can be counted.
    await db.execute(`update endpoints set breaker_until = now() + interval '1 hour' where id = $1`, [endpointId]);
    await db.execute(
      `insert into deliveries (id, endpoint_id, merchant_id, environment, event_id, event_type, occurred_at, idempotency_key, body,
         status, attempt)
       select id, $2, $3, 'SANDBOX', id, 'webhook.test', now(), id::text, '{}', 'FAILED', 6 from unnest($1::uuid[]) id`,
      [Array.from({ length: 1_200 }, () => uuidv7()), endpointId, on.merchant.id],
    );
    const since = new Date(Date.now() - 60_000).toISOString();
    let batches = 0;
    const begun = createRecoveries({
      db: {
        transaction: (work) =>
          db.transaction(async (tx) => {
            const result = await work(tx);
            batches += 1;
            if (batches % 2 === 0) throw new Error('the process died before its commit');
            return result;
          }),
      },
      pollMs: 1,
      poke: () => undefined,
      log: createLogger({ service: 'test', level: 'silent' }),
    });
    const stop = new AbortController();
    const running = begun.worker.run(stop.signal);
    await on.api.recover(on.merchant, endpointId, { since });
    const done = await eventually(async () => {
      const { recovery } = (await on.api.recovery(on.merchant, endpointId)).body;
      return recovery?.status === 'DONE' ? recovery : undefined;
    }, 'the recovery is done');
    stop.abort();
    await running;
    const [due] = await db.query(
      `select count(*)::int as due, min(schedule_from) as "from" from deliveries
       where endpoint_id = $1 and next_attempt_at <= now() and status = 'RETRYING'`,
      [endpointId],
    );

    expect(done).toMatchObject({ redelivered: 1_200, created: 0 });
    expect(due).toEqual({ due: 1_200, from: 6 });
  });
});
