import { openDatabase, type Database } from '@pay/persistence';
import { failOnLeaks } from '@pay/testing';
import { sweepOldRows } from '../src/outbox/retention';
import { anEvent, aPlace, aService, migrations, publishAll, silentLog, type Place } from './fixture';

failOnLeaks();

const CONSUMER = 'intent-api.events';
const never = new AbortController().signal;
/** The id of the nth event at a time. */
const ID = `(lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0')
  || '8' || substr(md5(n::text), 1, 15))::uuid`;

/** Longer runs, for figures: `npm run bench -- --retention`. */
const LONG = process.env['RETENTION_BENCH'] !== undefined;
const TIMEOUT_MS = LONG ? 3_600_000 : 90_000;

/** Pages of the inbox and its indexes that have been read, from memory or disk. */
async function pagesRead(db: Database): Promise<number> {
  await db.query('select pg_stat_force_next_flush()');
  const [row] = await db.query<{ pages: number }>(
    `select (heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::float8 as pages from pg_statio_user_tables
     where relid = 'inbox'::regclass`,
  );
  return row?.pages ?? 0;
}

describe('retention', () => {
  let place: Place;
  let db: Database;
  let running: Awaited<ReturnType<typeof aService>>;
  beforeEach(async () => {
    place = await aPlace();
    running = await aService(place);
    db = running.db;
  });
  afterEach(() => place.drop());

  const sweep = () => sweepOldRows(db, [CONSUMER, 'intent-api.control'], never);

  /** Received events, `perDay` for each day from `oldest` days ago to `newest` days ago. */
  async function received(oldest: number, newest: number, perDay: number, consumer = CONSUMER, on = db): Promise<void> {
    await on.execute(
      `insert into inbox (consumer, message_id, received_at)
       select $4, ${ID}, at from (select now() - day * interval '1 day' - n * interval '10 ms' as at, n
         from generate_series($1::int, $2::int, -1) day, generate_series(1, $3::int) n) as given`,
      [oldest, newest, perDay, consumer],
    );
  }

  const inboxSize = async () => Number((await db.query('select count(*) as n from inbox'))[0]?.['n']);

  it('deletes all published events older than the replay window and keeps unpublished ones', async () => {
    await publishAll(
      running,
      Array.from({ length: 4_500 }, () => anEvent()),
    );
    await db.execute(`update outbox set created_at = now() - interval '8 days' - seq * interval '1 ms'`);
    await db.execute('delete from outbox_pending');
    const [kept, young] = [anEvent(), anEvent()];
    await publishAll(running, [kept, young]);
    await db.execute(`update outbox set created_at = now() - interval '8 days' where id = $1`, [kept.id]);
    await db.execute('delete from outbox_pending where id = $1', [young.id]);

    await sweep();

    const ids = async () =>
      (
        await db.query(`select id from outbox where created_at < now() - interval '7 days' or id = $1 order by seq`, [
          young.id,
        ])
      ).map((row) => row['id']);
    expect(await ids()).toEqual([kept.id, young.id]);

    await db.execute('delete from outbox_pending where id = $1', [kept.id]);
    await db.execute(`update retention_positions set restarted_at = now() - interval '1 day'`);
    await sweep();
    expect(await ids()).toEqual([young.id]);
  });

  it('deletes all received events of each consumer after 14 days', async () => {
    await received(20, 15, 1_500);
    await received(20, 15, 10, 'intent-api.control');
    await received(13, 0, 20);

    await sweep();

    expect(await inboxSize()).toBe(14 * 20);
    const [row] = await db.query(`select max(now() - received_at) < interval '14 days' as young from inbox`);
    expect(row).toEqual({ young: true });
  });

  it('keeps an old event that was received in the last 7 days, and deletes it on a later day', async () => {
    await received(20, 20, 10);
    await db.execute(`update inbox set received_at = now() - interval '1 hour'`);

    await sweep();
    expect(await inboxSize()).toBe(10);

    await db.execute(`update inbox set received_at = now() - interval '8 days'`);
    await sweep();
    expect(await inboxSize()).toBe(10);
    await db.execute(`update retention_positions set restarted_at = now() - interval '1 day'`);
    await sweep();
    expect(await inboxSize()).toBe(0);
  });

  it(
    'reads as many pages after one turnover of the inbox as after many, with and without events to delete',
    async () => {
      const access = { url: place.databaseUrl, applicationName: 'sweeper', log: silentLog(), migrations };
      // One connection for everything, because a connection reports the pages it has read up to ten seconds later
      // unless asked immediately.
      const sweeper = await openDatabase({ ...access, poolSize: 1 });
      const [perTurn, young] = LONG ? [20_000, 1_000_000] : [1_000, 20_000];
      const figures: { readonly turns: number; readonly nothing: number; readonly batch: number }[] = [];

      /** Inserts events that are past retention, as if they arrived after the last sweep. */
      const turnOver = async (turn: number): Promise<void> => {
        const at = `now() - interval '15 days' + ${turn} * interval '1 minute'`;
        await sweeper.execute(
          `insert into inbox (consumer, message_id, received_at)
         select '${CONSUMER}', ${ID}, at from (select ${at} as at, n from generate_series(1, ${perTurn}) n) as given`,
        );
        await sweeper.execute(
          `update retention_positions set position = (select ${ID} from (select ${at} - interval '1 second' as at, 1 as n) as given)
         where name = 'inbox ${CONSUMER}'`,
        );
      };
      const pagesOfSweep = async (): Promise<number> => {
        const before = await pagesRead(sweeper);
        const begun = performance.now();
        await sweepOldRows(sweeper, [CONSUMER], never);
        took = performance.now() - begun;
        return (await pagesRead(sweeper)) - before;
      };
      let took = 0;
      // Autovacuum is off, because its page reads would be counted.
      await sweeper.execute('alter table inbox set (autovacuum_enabled = false)');

      await received(13, 13, young, CONSUMER, sweeper);
      await sweepOldRows(sweeper, [CONSUMER], never);
      let turn = 0;
      for (const turns of LONG ? [1, 20, 365] : [1, 20]) {
        while (turn < turns) {
          await turnOver((turn += 1));
          await sweepOldRows(sweeper, [CONSUMER], never);
        }
        const nothing = await pagesOfSweep();
        await turnOver((turn += 1));
        const batch = await pagesOfSweep();
        figures.push({ turns, nothing, batch });
        if (LONG) {
          process.stdout.write(
            `after ${turns} turnovers of ${perTurn} beside ${young}: ${nothing} pages for nothing, ${batch} pages and ${Math.round(took)} ms for ${perTurn}\n`,
          );
        }
      }
      await sweeper.close();

      const [first, ...later] = figures;
      for (const each of later) {
        expect(each.nothing).toBeLessThanOrEqual((first?.nothing ?? 0) + 10);
        expect(each.batch).toBeLessThanOrEqual(1.5 * (first?.batch ?? 0));
      }
    },
    TIMEOUT_MS,
  );

  it('runs in one replica at a time; another replica skips a table that is being cleaned', async () => {
    await sweep();
    await db.execute('update retention_positions set position = null');
    await received(16, 16, 10);
    await db.transaction(async (tx) => {
      await tx.execute(`select 1 from retention_positions where name = 'inbox ${CONSUMER}' for update`);
      await sweep();
    });
    expect(await inboxSize()).toBe(10);

    await sweep();

    expect(await inboxSize()).toBe(0);
  });
});
