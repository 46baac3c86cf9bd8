import type { Database, Queryable, Statement } from '@pay/persistence';
import { failOnLeaks } from '@pay/testing';
import { REQUEST_REPLAY, Replayer } from '../src/outbox/replay';
import { aPlace, aService, QUEUE, silentLog, type Place } from './fixture';

failOnLeaks();

const STRETCH = 5_000;

/** The number of rows that each index scan of an `explain (analyze)` has read. */
function rowsRead(plan: readonly string[]): number[] {
  return plan.flatMap((line, at) => {
    const [, kept] = /Index (?:Only )?Scan.*\(actual .*rows=(\d+)/.exec(line) ?? [];
    if (kept === undefined) return [];
    const removed = plan.slice(at + 1, at + 4).map((next) => /Rows Removed by Filter: (\d+)/.exec(next)?.[1]);
    return [Number(kept) + Number(removed.find((count) => count !== undefined) ?? 0)];
  });
}

describe('a replay of a rare type', () => {
  let place: Place;
  beforeEach(async () => (place = await aPlace()));
  afterEach(() => place.drop());

  it('reads a limited stretch per statement in the order of the index, and publishes each event once', async () => {
    const { db } = await aService(place);
    await db.execute(
      `insert into outbox (id, type, routing_key, aggregate_id, sequence, body, created_at)
       select gen_random_uuid(), type, type || '.v1', 'a', n, '{"n":' || n || '}', now() - interval '1 hour' + n / 3 * interval '1 ms'
         from (select n, case when n % 2000 = 0 then 'claim.submitted' else 'intent.created' end as type
                 from generate_series(1, 12500) as n) as given order by n`,
    );
    const plans: string[][] = [];
    const explaining: Pick<Queryable, 'query' | 'execute'> = {
      async query<Row extends object>(sql: Statement | string, values?: readonly unknown[]) {
        if (typeof sql === 'object' && sql.text.startsWith('select')) {
          const lines = await db.query<{ 'QUERY PLAN': string }>(`explain (analyze) ${sql.text}`, values);
          plans.push(lines.map((line) => line['QUERY PLAN']));
        }
        return db.query<Row>(sql, values);
      },
      execute: (sql, values) => db.execute(sql, values),
    };
    const published: string[] = [];
    const replayer = new Replayer({
      db: explaining as Database,
      publisher: {
        isWritable: true,
        confirmed: ({ body }: { body: Buffer }) => Promise.resolve(void published.push(body.toString())),
      } as never,
      sender: { prepare: () => ({}) } as never,
      timings: { replayedPerSecond: 1_000_000 },
      isBusy: () => false,
      log: silentLog(),
    });
    await db.execute(REQUEST_REPLAY, [QUEUE, ['claim.submitted'], new Date(0)]);

    const isFinished = async () =>
      (await db.query('select id from outbox_replays where finished_at is not null')).length === 1;
    while (!(await isFinished())) await replayer.runDue(new AbortController().signal);

    expect(published).toEqual([2000, 4000, 6000, 8000, 10000, 12000].map((n) => `{"n":${n}}`));
    for (const plan of plans) {
      expect(plan.join('\n')).not.toContain('Sort');
      expect(rowsRead(plan)).toHaveLength(1);
      for (const rows of rowsRead(plan)) expect(rows).toBeLessThanOrEqual(STRETCH);
    }
    expect(plans.length).toBeGreaterThanOrEqual(3);
  });
});
