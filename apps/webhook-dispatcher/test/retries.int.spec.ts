import { captureServer, eventually, failOnLeaks } from '@pay/testing';
import { anEvent } from './service-under-test';
import { aSignal, hmac, idOf, stage, TIME_SCALE } from './stage';

failOnLeaks();

describe('retries', () => {
  const on = stage();

  test('retries failures by the schedule with the same id and bytes, and stores every attempt', async () => {
    await on.register();
    const times: number[] = [];
    on.shop.respondWith((request, count) => {
      times.push(request.receivedAtMs);
      return count <= 3 ? { status: 500, body: `sorry ${count}` } : { status: 200 };
    });
    await on.service.announce(anEvent('intent.paid', on.merchant));
    const delivery = await on.settled('DELIVERED');

    expect(delivery).toMatchObject({ attempt: 4, statusCode: 200 });
    expect(new Set(on.shop.requests.map(idOf))).toEqual(new Set([delivery.id]));
    expect(new Set(on.shop.requests.map(({ rawBody }) => rawBody.toString('hex'))).size).toBe(1);
    expect(on.shop.requests.map(({ headers }) => headers['x-webhook-attempt'])).toEqual(['1', '2', '3', '4']);
    for (const { headers, rawBody } of on.shop.requests) {
      expect(headers['x-webhook-signature']).toBe(`sha256=${hmac(rawBody, 'hex')}`);
    }
    const waits = times.slice(1).map((time, index) => time - times[index]!);
    [5_000, 15_000, 30_000].forEach((planned, index) =>
      expect(waits[index]).toBeGreaterThanOrEqual(planned * TIME_SCALE),
    );
    expect(await on.attemptsOf(delivery.id)).toMatchObject([
      { attempt: 1, outcome: 'HTTP_5XX', http_status: 500, response: 'sorry 1' },
      { attempt: 2, outcome: 'HTTP_5XX', http_status: 500, response: 'sorry 2' },
      { attempt: 3, outcome: 'HTTP_5XX', http_status: 500, response: 'sorry 3' },
      { attempt: 4, outcome: 'SUCCESS', http_status: 200, response: null },
    ]);
  });

  test('is RETRYING with the last status code during retries, and FAILED after the last one', async () => {
    await on.register();
    const seen = aSignal();
    on.shop.respondWith(async (_, count) => {
      if (count > 1) await seen.given;
      return { status: 503 };
    });
    await on.service.announce(anEvent('intent.paid', on.merchant));

    expect(await on.settled('RETRYING')).toMatchObject({ statusCode: 503, deliveredAt: null });
    seen.give();
    expect(await on.settled('FAILED')).toMatchObject({ attempt: 6, statusCode: 503, deliveredAt: null });
    expect(on.shop.requests).toHaveLength(6);
  });

  test.each([202, 204])('%i is delivered', async (status) => {
    await on.register();
    on.shop.respondWith(() => ({ status }));
    await on.service.announce(anEvent('intent.paid', on.merchant));

    expect(await on.settled('DELIVERED')).toMatchObject({ statusCode: status, attempt: 1 });
  });

  test('waits for Retry-After', async () => {
    await on.register();
    on.shop.respondWith((_, count) =>
      count === 1 ? { status: 429, headers: { 'retry-after': '60' } } : { status: 200 },
    );
    await on.service.announce(anEvent('intent.paid', on.merchant));
    const delivery = await on.settled('DELIVERED');
    const [before, after] = on.shop.requests.map(({ receivedAtMs }) => receivedAtMs);

    expect(delivery.attempt).toBe(2);
    expect(after! - before!).toBeGreaterThanOrEqual(60_000 * TIME_SCALE);
  });

  test('does not delay other endpoints when one hangs', async () => {
    const hanging = await captureServer();
    hanging.respondWith(() => undefined);
    await on.register({ url: `${hanging.url}/` });
    await on.register();
    const since = performance.now();
    const events = Array.from({ length: 30 }, () => anEvent('intent.paid', on.merchant));
    await on.service.announce(...events);

    await eventually(() => on.shop.requests.length === 30, 'the healthy endpoint gets everything');
    // Each of its 8 slots is free again after ten seconds.
    const slotsHeld = 8 * Math.ceil((performance.now() - since) / 10_000);
    expect(hanging.requests.length).toBeLessThanOrEqual(slotsHeld);
    await hanging.close();
  });

  test('sends deliveries of a dead process again after their lease, under the same id', async () => {
    await on.register();
    on.shop.respondWith((_, count) => (count === 1 ? undefined : { status: 200 }));
    await on.service.announce(anEvent('intent.paid', on.merchant));
    const first = await on.shop.waitFor(() => true);
    // As if this process had been killed with the request in flight: the lease of no other process, and it has expired.
    await on.service.db.execute('update deliveries set lease_owner = $1, next_attempt_at = now() where id = $2', [
      '00000000-0000-4000-8000-000000000000',
      idOf(first),
    ]);
    const delivery = await on.settled('DELIVERED');

    expect(on.shop.requests.map(idOf)).toEqual([delivery.id, delivery.id]);
    expect(await on.attemptsOf(delivery.id)).toMatchObject([
      { attempt: 1, outcome: 'UNKNOWN', http_status: null },
      { attempt: 2, outcome: 'SUCCESS', http_status: 200 },
    ]);
  });

  test('stores a late result of an expired lease with the attempt only', async () => {
    await on.register();
    const late = aSignal();
    on.shop.respondWith((_, count) => (count === 1 ? late.given.then(() => ({ status: 500 })) : { status: 200 }));
    await on.service.announce(anEvent('intent.paid', on.merchant));
    const first = await on.shop.waitFor(() => true);
    await on.service.db.execute('update deliveries set next_attempt_at = now() where id = $1', [idOf(first)]);
    const delivery = await on.settled('DELIVERED');
    late.give();
    const attempts = await eventually(async () => {
      const rows = await on.attemptsOf(delivery.id);
      return rows[0]?.['outcome'] === 'HTTP_5XX' && rows;
    }, 'the late answer is recorded');

    expect(attempts).toMatchObject([{ outcome: 'HTTP_5XX' }, { outcome: 'SUCCESS' }]);
    expect((await on.deliveries())[0]).toMatchObject({ status: 'DELIVERED', statusCode: 200, attempt: 2 });
  });

  test('switches an endpoint off after a second 410 a minute later, and not after one', async () => {
    const id = await on.register();
    on.shop.respondWith((_, count) => ({ status: count <= 1 ? 410 : count <= 2 ? 200 : 410 }));
    await on.service.announce(anEvent('intent.paid', on.merchant));
    await on.settled('DELIVERED');
    expect((await on.api.endpoint(on.merchant, id)).body.isActive).toBe(true);
    const firstAt = on.shop.requests[0]!.receivedAtMs;
    await eventually(() => performance.now() - firstAt > 60_000 * TIME_SCALE, 'the first 410 is long past');

    await on.service.announce(anEvent('intent.paid', on.merchant));
    await eventually(
      async () => !(await on.api.endpoint(on.merchant, id)).body.isActive,
      'the endpoint is switched off',
    );
    const sent = on.shop.requests.length;
    // By the clock that switches off: the shop's answers are recorded a little after they are given, each by another
    // while.
    const [minute] = await on.service.db.query(
      `select max(finished_at) - min(finished_at) >= make_interval(secs => $2) as "isOver" from attempts
       where delivery_id = $1 and outcome = 'GONE' having count(*) >= 2`,
      [idOf(on.shop.requests[2]), 60 * TIME_SCALE],
    );
    expect(minute).toEqual({ isOver: true });
    await on.service.announce(anEvent('intent.paid', on.merchant));
    await eventually(async () => (await on.deliveries('?status=PENDING')).length === 1, 'later events are held');

    expect(on.shop.requests).toHaveLength(sent);
    expect(on.service.lines).toContainEqual(expect.objectContaining({ msg: 'endpoint.switched_off', endpointId: id }));
  });
});

/** RETRYING for 23 seconds instead of 2.3, so that a test can see it and change something before the next attempt. */
describe('retries with longer waits', () => {
  const on = stage(10 * TIME_SCALE);

  test('treats a redirect as a failure and does not follow it', async () => {
    const canary = await captureServer();
    await on.register();
    on.shop.respondWith(() => ({ status: 307, headers: { location: `${canary.url}/` } }));
    await on.service.announce(anEvent('intent.paid', on.merchant));
    const delivery = await on.settled('RETRYING');

    expect((await on.attemptsOf(delivery.id))[0]).toMatchObject({ outcome: 'HTTP_REDIRECT', http_status: 307 });
    expect(canary.requests).toHaveLength(0);
    await canary.close();
  });

  test('delivers after a rotation to an endpoint that answered 401 before (F10)', async () => {
    const next = 'a-secret-that-came-later';
    const id = await on.register();
    on.shop.respondWith(({ headers, rawBody }) => {
      const signatures = [headers['x-webhook-signature'], headers['x-webhook-signature-next']];
      return { status: signatures.includes(`sha256=${hmac(rawBody, 'hex', next)}`) ? 200 : 401 };
    });
    await on.service.announce(anEvent('intent.paid', on.merchant));
    expect(await on.settled('RETRYING')).toMatchObject({ statusCode: 401 });
    expect((await on.api.rotate(on.merchant, id, { secret: next })).status).toBe(200);
    const delivery = await on.settled('DELIVERED');

    const attempts = await on.attemptsOf(delivery.id);
    expect(new Set(attempts.slice(0, -1).map(({ outcome, http_status: status }) => `${outcome} ${status}`))).toEqual(
      new Set(['HTTP_4XX 401']),
    );
    expect(attempts.at(-1)).toMatchObject({ outcome: 'SUCCESS', http_status: 200 });
    expect(new Set(on.shop.requests.map(idOf))).toEqual(new Set([delivery.id]));
  });

  test('holds due deliveries of a switched-off endpoint, and fails those of a deleted one', async () => {
    const off = await on.register({ url: `${on.shop.url}/off` });
    const deleted = await on.register({ url: `${on.shop.url}/deleted` });
    on.shop.respondWith(() => ({ status: 500 }));
    await on.service.announce(anEvent('intent.paid', on.merchant));
    await eventually(async () => (await on.deliveries('?status=RETRYING')).length === 2, 'both are being retried');
    await on.service.db.execute('update endpoints set is_active = false where id = $1', [off]);
    expect((await on.api.remove(on.merchant, deleted)).status).toBe(204);

    await eventually(async () => {
      const rows = await on.service.db.query<{ endpoint_id: string; status: string }>(
        'select endpoint_id, status from deliveries where merchant_id = $1 and next_attempt_at is null',
        [on.merchant.id],
      );
      const statuses = new Map(rows.map((row) => [row.endpoint_id, row.status]));
      return statuses.get(off) === 'RETRYING' && statuses.get(deleted) === 'FAILED';
    }, 'one is held, the other failed');
  });
});
