import { createLogger } from '@pay/runtime';
import { eventually, failOnLeaks } from '@pay/testing';
import { disableFailingEndpoints } from '../src/endpoints/disable-failing-endpoints';
import { anEvent } from './service-under-test';
import { stage, TIME_SCALE } from './stage';

failOnLeaks();

describe('endpoints that stop answering', () => {
  const on = stage();

  test('uses one attempt per probe during an outage, and sends the backlog oldest first when it is over', async () => {
    const id = await on.register();
    on.shop.respondWith(() => ({ status: 503 }));
    const events = Array.from({ length: 40 }, () => anEvent('intent.paid', on.merchant));
    for (const event of events.slice(0, 5)) await on.service.announce(event);
    await eventually(async () => (await on.endpointRow(id)).breaker_until !== null, 'the breaker opens');
    // It stays open for long from here on, whatever the probes have found so far.
    await on.service.db.execute(
      `update endpoints set breaker_until = now() + interval '1 hour', breaker_wait = 1 where id = $1`,
      [id],
    );
    // Repeated when no attempt is in progress, because the result of a running probe sets another time.
    await eventually(
      async () =>
        (await on.service.db.execute(
          `update endpoints set breaker_until = now() + interval '1 hour', breaker_wait = 1
           where id = $1 and not exists (select from deliveries where endpoint_id = $1 and lease_owner is not null)`,
          [id],
        )) === 1,
      'nothing is under way',
    );
    const burnt = on.shop.requests.length;
    await on.service.announce(...events.slice(5));
    // Of the first ones, those that were planned after the breaker opened wait with the later ones.
    await eventually(async () => (await on.deliveries('?limit=100')).length === 40, 'later ones wait');
    await on.service.db.execute(
      `update deliveries set next_attempt_at = now() + interval '1 day' where merchant_id = $1 and status = 'RETRYING'`,
      [on.merchant.id],
    );
    expect(on.shop.requests.length).toBe(burnt);
    expect((await on.api.endpoint(on.merchant, id)).body.failingSince).toEqual(expect.any(String));
    const [waiting] = await on.deliveries('?status=PENDING&limit=1');
    const { nextAttemptAt } = (await on.api.delivery(on.merchant, waiting!.id)).body;
    expect(nextAttemptAt).toBe((await on.endpointRow(id)).breaker_until.toISOString());

    on.shop.respondWith(() => ({ status: 200 }));
    await on.service.db.execute('update endpoints set breaker_until = now() where id = $1', [id]);
    await eventually(
      async () => (await on.api.deliveries(on.merchant, '?status=DELIVERED')).body.total === 40,
      'everything is delivered',
      { timeoutMs: 15_000 },
    );

    const after = on.shop.requests.slice(burnt);
    expect(after.length).toBe(40);
    const pace = after.map(({ receivedAtMs }) => receivedAtMs - after[0]!.receivedAtMs);
    expect(pace.filter((ms) => ms < 400).length).toBeLessThan(35);
    const [probe] = await on.service.db.query<{ count: number }>(
      `select count(*)::int as count from attempts a join deliveries d on d.id = a.delivery_id
       where d.merchant_id = $1 and a.trigger = 'probe' and a.outcome = 'SUCCESS'`,
      [on.merchant.id],
    );
    expect(probe).toEqual({ count: 1 });
    expect(await on.endpointRow(id)).toMatchObject({ breaker_until: null, failing_since: null, failed_attempts: 0 });
  });

  test('switches an endpoint off after five days and fifty attempts without success, with warnings before', async () => {
    const ids = [await on.register(), await on.register(), await on.register()];
    const [off, few, young] = ids;
    await on.service.db.execute(
      `update endpoints set failing_since = now() - case when id = $3 then interval '25 hours' else interval '5 days 1 minute' end,
         failed_attempts = case when id = $2 then 49 else 50 end
       where id = any($1::uuid[])`,
      [ids, few, young],
    );
    const { db, lines } = on.service;
    const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
    const log = createLogger({ service: 'webhook-dispatcher', level: 'warn', destination });
    const deps = { db, log, timeScale: 1 };
    await disableFailingEndpoints(deps);
    await disableFailingEndpoints(deps);

    expect((await on.api.endpoint(on.merchant, off!)).body).toMatchObject({
      isActive: false,
      disabledReason: 'NO_SUCCESS',
    });
    for (const id of [few, young]) expect((await on.api.endpoint(on.merchant, id!)).body.isActive).toBe(true);
    const warned = lines.filter(({ msg }) => msg === 'endpoint.failing').map(({ endpointId }) => endpointId);
    expect(warned.sort()).toEqual([...ids].sort());
    const again = await on.api.change(on.merchant, off!, { isActive: true });
    expect(again.body).toMatchObject({ isActive: true, disabledReason: null, failingSince: null });
  });
});

/** A failed probe pauses for 30 seconds instead of 3, so that a test can see what it leaves before the next one. */
describe('endpoints that stop answering, with longer waits', () => {
  const on = stage(10 * TIME_SCALE);

  test('waits twice as long after a failed probe and sends nothing else', async () => {
    const id = await on.register();
    on.shop.respondWith(() => ({ status: 500 }));
    await on.service.db.execute(
      `update endpoints set failing_since = now(), breaker_failures = 9, breaker_wait = 20, breaker_until = now() + interval '1 hour'
       where id = $1`,
      [id],
    );
    await on.service.announce(...Array.from({ length: 20 }, () => anEvent('intent.paid', on.merchant)));
    await eventually(async () => (await on.deliveries('?limit=100')).length === 20, 'all are planned');
    await on.service.db.execute('update endpoints set breaker_until = now() where id = $1', [id]);
    await eventually(async () => (await on.deliveries('?status=RETRYING')).length === 1, 'the probe has failed');

    // The longest wait is 300 s, here 30 s.
    expect(await on.endpointRow(id)).toMatchObject({ breaker_wait: 30, failed_attempts: 1 });
    expect(on.shop.requests).toHaveLength(1);
  });
});
