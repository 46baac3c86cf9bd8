import { eventually } from '@pay/testing';
import { killed, openDispatchers, type Dispatcher, type Got } from './dispatchers';

const ENDPOINTS = 4;
/** `npm run faults -- dispatcher --kills 100` asks for more. */
const KILLS = Number(process.env['FAULT_KILLS'] ?? '8');
const EVENTS_PER_KILL = 100;
const SLOTS = 200;
/** From an attempt that a kill cut off to the next one. Leases alone would take 45. */
const TAKEN_OVER_WITHIN_SECONDS = 20;

type Stage = Awaited<ReturnType<typeof openDispatchers>>;

describe('several dispatchers on one database', () => {
  let on: Stage;
  let running: Dispatcher[] = [];
  const ended = new Set<string>();
  const announced: string[] = [];

  beforeAll(async () => {
    on = await openDispatchers(ENDPOINTS);
    running = [await on.start()];
  });
  afterAll(() => on.close());

  const announce = async (count: number): Promise<void> => {
    announced.push(...(await on.announce(count)));
  };
  const open = async (): Promise<number> =>
    (await on.db.query(`select from deliveries where status <> 'DELIVERED'`)).length +
    (announced.length * ENDPOINTS - (await on.db.query('select from deliveries')).length);
  const allDelivered = (timeoutMs: number): Promise<boolean> =>
    eventually(async () => (await open()) === 0, 'everything is delivered', { timeoutMs });
  const replace = async (index: number): Promise<void> => {
    const victim = running[index]!;
    await killed(victim.child);
    ended.add(victim.id);
    running[index] = await on.start();
  };

  test('a dispatcher measures how much its clock differs from that of the database', async () => {
    const metrics = await eventually(
      async () => (await fetch(`${running[0]!.privateUrl}/metrics`)).text(),
      'its metrics are served',
    );

    expect(metrics).toMatch(/^database_clock_difference_seconds\{.*\} \S+$/m);
  });

  test('a dispatcher that is paused and resumed changes no delivery that another one has claimed since (F3)', async () => {
    const [sleeper] = running;
    on.shop.hold();
    await announce(8);
    await eventually(() => on.shop.waiting === 32, 'its slots are full: 8 per endpoint');
    // Before the other one comes, which may take longer than a request has.
    sleeper!.child.kill('SIGSTOP');
    running.push(await on.start());
    // Ends its leases as if 45 seconds had passed.
    await on.db.execute('update deliveries set next_attempt_at = now() where lease_owner = $1', [sleeper!.id]);
    const answerTheFirst = on.shop.letLaterThrough();
    await allDelivered(60_000);
    const settled = await on.db.query('select * from deliveries order by id');
    answerTheFirst(500);
    sleeper!.child.kill('SIGCONT');
    await eventually(
      async () =>
        (
          await on.db.query(`select from attempts where worker_id = $1 and outcome in ('HTTP_5XX', 'TIMEOUT')`, [
            sleeper!.id,
          ])
        ).length === 32,
      'its attempts contain the outcomes of its requests',
    );

    expect(await on.db.query('select * from deliveries order by id')).toEqual(settled);
    ended.add(sleeper!.id);
  }, 90_000);

  test.each([2, 4])(
    '%i of them send nothing twice',
    async (count) => {
      while (running.length < count) running.push(await on.start());
      const before = on.shop.got.length;
      for (let batch = 0; batch < 5; batch += 1) await announce(15);
      await allDelivered(60_000);

      const got = on.shop.got.slice(before);
      expect(got).toHaveLength(75 * ENDPOINTS);
      expect(new Set(got.map(({ deliveryId }) => deliveryId)).size).toBe(75 * ENDPOINTS);
      const senders = await on.db.query<{ worker_id: string }>('select distinct worker_id from attempts');
      expect(senders.length).toBeGreaterThanOrEqual(2);
    },
    120_000,
  );

  test(
    `${KILLS} kills under load: each event reaches each endpoint, and each request more has its reason (F1)`,
    async () => {
      for (const extra of running.splice(2)) {
        await killed(extra.child);
        ended.add(extra.id);
      }
      for (let kill = 2; kill < KILLS; kill += 1) {
        await announce(EVENTS_PER_KILL);
        const seen = on.shop.got.length;
        // In the middle of it.
        await eventually(() => on.shop.got.length > seen + 20, 'requests flow', { timeoutMs: 30_000 });
        await replace(kill % 2);
      }
      // Well before the leases of the killed ones would have expired.
      await allDelivered(60_000);

      const faults = await explain();
      expect(faults).toEqual([]);
    },
    60_000 + KILLS * 15_000,
  );

  /** What contradicts the invariants 6, 7, 8 and 12 of reliability.md 5.3, in words. */
  async function explain(): Promise<string[]> {
    const deliveries = await on.db.query<{ id: string; intent: string; endpoint: string; attempt: number }>(
      `select d.id, d.payment_intent_id as intent, regexp_replace(e.url, '.*/', '/') as endpoint, d.attempt
       from deliveries d join endpoints e on e.id = d.endpoint_id`,
    );
    const attempts = await on.db.query<{ delivery: string; attempt: number; outcome: string | null; worker: string }>(
      'select delivery_id as delivery, attempt, outcome, worker_id as worker from attempts',
    );
    const rows = new Map(attempts.map((each) => [`${each.delivery} ${each.attempt}`, each]));
    const requests = new Map<string, Got[]>();
    const faults: string[] = [];
    const once = new Set<string>();
    for (const got of on.shop.got) {
      const key = `${got.deliveryId} ${got.attempt}`;
      if (once.has(key)) faults.push(`attempt ${key} was sent twice`);
      once.add(key);
      if (!rows.has(key)) faults.push(`attempt ${key} was sent and has no row`);
      requests.set(got.deliveryId, [...(requests.get(got.deliveryId) ?? []), got]);
    }
    let repeats = 0;
    for (const { id, intent, endpoint, attempt } of deliveries) {
      const got = requests.get(id) ?? [];
      if (got.length === 0) faults.push(`delivery ${id} never arrived`);
      if (got.some((each) => each.intentId !== intent || each.endpoint !== endpoint))
        faults.push(`delivery ${id} is two`);
      repeats += Math.max(0, got.length - 1);
      for (let number = 1; number < attempt; number += 1) {
        const row = rows.get(`${id} ${number}`);
        if (!ended.has(String(row?.worker))) faults.push(`attempt ${id} ${number} was repeated without a kill`);
      }
      if (rows.get(`${id} ${attempt}`)?.outcome !== 'SUCCESS') faults.push(`delivery ${id} was not answered 2xx`);
    }
    const pairs = new Set(deliveries.map(({ intent, endpoint }) => `${intent} ${endpoint}`));
    if (pairs.size !== announced.length * ENDPOINTS)
      faults.push(`${pairs.size} deliveries of ${announced.length} events`);
    if (repeats > ended.size * SLOTS) faults.push(`${repeats} repeats of ${ended.size} kills`);
    const slowest = await slowestTakeOver();
    if (slowest > TAKEN_OVER_WITHIN_SECONDS) faults.push(`a delivery waited ${slowest} s for another sender`);
    process.stderr.write(
      `${announced.length} events, ${on.shop.got.length} requests, ${repeats} repeats, ${ended.size} ended, ` +
        `${faults.length} unexplained; cut off attempts were made again within ${slowest.toFixed(1)} s\n`,
    );
    return faults;
  }

  async function slowestTakeOver(): Promise<number> {
    const [row] = await on.db.query<{ seconds: number }>(
      `select coalesce(max(extract(epoch from next.started_at - cut.started_at)), 0)::float8 as seconds
       from attempts cut join attempts next on next.delivery_id = cut.delivery_id and next.attempt = cut.attempt + 1
       where cut.outcome = 'UNKNOWN'`,
    );
    return row!.seconds;
  }
});
