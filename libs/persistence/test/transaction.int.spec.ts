import {
  isConnectionLoss,
  isUniqueViolation,
  migrate,
  openDatabase,
  retryOnConflict,
  statement,
  TransactionAborted,
  type Database,
  type Transaction,
} from '../src';
import { createMetrics, type Metrics } from '@pay/runtime';
import { eventually } from '@pay/testing';
import { memoryLog, scratchDatabase } from './scratch-database';

const migrations = [
  {
    name: '20260101000000-create-notes',
    sql: 'create table notes (id int primary key, text text, big bigint, at timestamptz)',
  },
];
const INSERT = statement('insert-note', 'insert into notes (id, text) values ($1, $2)');

describe('a transaction', () => {
  let database: Awaited<ReturnType<typeof scratchDatabase>>;
  let db: Database;
  const log = memoryLog();

  beforeAll(async () => {
    database = await scratchDatabase();
    await migrate({ url: database.url, migrations, log });
    db = await openDatabase({ url: database.url, poolSize: 4, applicationName: 'spec', log, migrations });
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });
  beforeEach(() => db.execute('truncate notes'));

  it('counts statements that are sent together as one round trip', async () => {
    let roundTrips = 0;
    const counter = { inc: () => (roundTrips += 1) };
    const metrics = { ...createMetrics('spec'), counter: () => counter } as unknown as Metrics;
    const counted = await openDatabase({
      url: database.url,
      poolSize: 1,
      applicationName: 'spec',
      log,
      migrations,
      metrics,
    });
    const tripsOf = async (work: () => Promise<unknown>) => {
      const before = roundTrips;
      await work();
      return roundTrips - before;
    };
    await counted.ping();

    const ofQuery = await tripsOf(() => counted.query('select 1'));
    const ofTransaction = await tripsOf(() =>
      counted.transaction(async (tx) => {
        tx.enqueue(INSERT, [1, 'one']);
        await tx.execute(INSERT, [2, 'two']);
        tx.enqueue(INSERT, [3, 'three']);
      }),
    );
    await counted.close();

    // BEGIN and two statements, then a statement and COMMIT.
    expect([ofQuery, ofTransaction]).toEqual([1, 2]);
  });

  const ids = async () => (await db.query<{ id: number }>('select id from notes order by id')).map((row) => row.id);

  it('commits its writes and returns the result of its work', async () => {
    const result = await db.transaction(async (tx) => {
      await tx.execute(INSERT, [1, 'one']);
      return tx.query<{ text: string }>('select text from notes where id = $1', [1]);
    });

    expect(result).toEqual([{ text: 'one' }]);
    expect(await ids()).toEqual([1]);
  });

  it('is rolled back when its work throws', async () => {
    const work = db.transaction(async (tx) => {
      await tx.execute(INSERT, [1, 'one']);
      throw new Error('changed my mind');
    });

    await expect(work).rejects.toThrow('changed my mind');
    expect(await ids()).toEqual([]);
  });

  it('runs its hooks in order, after the commit is visible to others', async () => {
    const seen: string[] = [];
    let visible: Promise<number[]> | undefined;

    await db.transaction(async (tx) => {
      tx.onCommit(() => {
        seen.push('first');
        visible = ids();
      });
      tx.onCommit(() => seen.push('second'));
      await tx.execute(INSERT, [1, 'one']);
      seen.push('work');
    });

    expect(seen).toEqual(['work', 'first', 'second']);
    expect(await visible).toEqual([1]);
  });

  it('runs no hook after a rollback', async () => {
    const hook = jest.fn();
    const work = db.transaction(async (tx) => {
      tx.onCommit(hook);
      await tx.execute('insert into notes (id) values (null)');
    });

    await expect(work).rejects.toThrow(/null value/);
    expect(hook).not.toHaveBeenCalled();
  });

  it('runs no hook when COMMIT itself is refused', async () => {
    await db.execute(
      'create table if not exists pairs (id int primary key, other int references pairs deferrable initially deferred)',
    );
    const hook = jest.fn();
    const work = db.transaction(async (tx) => {
      tx.onCommit(hook);
      await tx.execute('insert into pairs values (1, 2)');
    });

    await expect(work).rejects.toThrow(/foreign key/);
    expect(hook).not.toHaveBeenCalled();
    expect(await db.query('select id from pairs')).toEqual([]);
  });

  it('stays committed when one of its hooks fails, and runs the other hooks', async () => {
    const second = jest.fn();

    await db.transaction(async (tx) => {
      tx.onCommit(() => {
        throw new Error('hook');
      });
      tx.onCommit(second);
      await tx.execute(INSERT, [1, 'one']);
    });

    expect(second).toHaveBeenCalledTimes(1);
    expect(await ids()).toEqual([1]);
    expect(log.lines).toContainEqual({ level: 'error', message: 'transaction.hook_failed' });
  });

  it('fails when its work ignored the error of a statement', async () => {
    const hook = jest.fn();
    const work = db.transaction(async (tx) => {
      tx.onCommit(hook);
      await tx.execute(INSERT, [1, 'one']);
      await tx.execute(INSERT, [1, 'again']).catch(() => undefined);
    });

    await expect(work).rejects.toThrow(TransactionAborted);
    expect(hook).not.toHaveBeenCalled();
    expect(await ids()).toEqual([]);
  });

  it('runs statements that are started together one after the other', async () => {
    await db.transaction((tx) => Promise.all([1, 2, 3, 4].map((id) => tx.execute(INSERT, [id, 'x']))));

    expect(await ids()).toEqual([1, 2, 3, 4]);
  });

  it('commits statements that were started and not awaited', async () => {
    await db.transaction(async (tx) => {
      void tx.execute(INSERT, [1, 'x']);
      void tx.execute(INSERT, [2, 'x']);
    });

    expect(await ids()).toEqual([1, 2]);
  });

  it('commits enqueued statements, and fails with the error of an enqueued statement', async () => {
    await db.transaction(async (tx) => tx.enqueue(INSERT, [1, 'enqueued']));
    const last = db.transaction(async (tx) => tx.enqueue(INSERT, [1, 'again']));
    const followed = db.transaction(async (tx) => {
      tx.enqueue(INSERT, [1, 'again']);
      await tx.execute(INSERT, [2, 'after']);
    });

    for (const refused of [last, followed]) {
      const error = await refused.catch((e: unknown) => e);
      expect(isUniqueViolation(error, 'notes_pkey')).toBe(true);
    }
    expect(await ids()).toEqual([1]);
  });

  it('reads the rows of enqueued statements before later hooks, and not after a rollback', async () => {
    const seen: unknown[] = [];
    const work = (id: number) => async (tx: Transaction) => {
      tx.enqueue('insert into notes (id, text) values ($1, $2) returning id', [id, 'read'], (rows) => seen.push(rows));
      tx.onCommit(() => seen.push('hook'));
    };

    await db.transaction(work(1));
    await db.transaction(work(1)).catch(() => undefined);

    expect(seen).toEqual([[{ id: 1 }], 'hook']);
  });

  it('refuses statements after it has ended', async () => {
    const leaked = await db.transaction(async (tx) => tx);

    await expect(leaked.execute(INSERT, [1, 'late'])).rejects.toThrow('the transaction is over');
  });

  it('reports the loss of its connection, which the pool replaces', async () => {
    const hook = jest.fn();
    const work = db.transaction(async (tx) => {
      tx.onCommit(hook);
      await tx.execute(INSERT, [1, 'one']);
      const [row] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
      await db.query('select pg_terminate_backend($1)', [row!.pid]);
    });

    const error = await work.catch((e: unknown) => e);

    expect(isConnectionLoss(error)).toBe(true);
    expect(hook).not.toHaveBeenCalled();
    expect(await ids()).toEqual([]);
    await Promise.all(Array.from({ length: 12 }, () => db.ping()));
  });

  it('survives the loss of idle connections', async () => {
    const lost = () => log.lines.filter((line) => line.message === 'database.idle_connection_lost').length;
    const before = lost();
    await Promise.all(Array.from({ length: 4 }, () => db.query('select pg_sleep(0.02)')));
    await db.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );

    // No caller requests a connection meanwhile; the pool detects the loss itself.
    await eventually(() => lost() - before === 3, 'each of the other three is logged');
    await Promise.all(Array.from({ length: 12 }, () => db.ping()));
  });

  it('is repeated until it commits after a deadlock', async () => {
    await db.transaction((tx) => Promise.all([1, 2].map((id) => tx.execute(INSERT, [id, '']))));
    let attempts = 0;
    const bothHoldOne = gate(2);
    const touch = (first: number, second: number) =>
      retryOnConflict(db, async (tx) => {
        attempts += 1;
        const update = `update notes set text = text || '+' where id = $1`;
        await tx.execute(update, [first]);
        await bothHoldOne();
        await tx.execute(update, [second]);
      });

    await Promise.all([touch(1, 2), touch(2, 1)]);

    // At least one transaction is repeated, possibly twice.
    expect(attempts).toBeGreaterThan(2);
    expect(await db.query('select text from notes')).toEqual([{ text: '++' }, { text: '++' }]);
  });

  it('makes the planner use indexes on every connection', async () => {
    const settings = () =>
      db.query<{ seqscan: string; plans: string }>(
        `select current_setting('enable_seqscan') as seqscan, current_setting('plan_cache_mode') as plans, pg_sleep(0.02)`,
      );

    const rows = (await Promise.all([settings(), settings()])).flat();

    expect(rows).toEqual([0, 1].map(() => expect.objectContaining({ seqscan: 'off', plans: 'force_generic_plan' })));
  });

  it('names the constraint of a unique violation', async () => {
    await db.execute(INSERT, [1, 'one']);

    const error = await db.execute(INSERT, [1, 'one']).catch((e: unknown) => e);

    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, 'notes_pkey')).toBe(true);
    expect(isUniqueViolation(error, 'other')).toBe(false);
    expect(isConnectionLoss(error)).toBe(false);
  });

  it('returns bigint and numeric as text and timestamps as dates', async () => {
    const rows = await db.query(
      `select 9007199254740993::bigint as big, 0.10::numeric as num, '2026-01-01T00:00:00Z'::timestamptz as at`,
    );

    expect(rows).toEqual([{ big: '9007199254740993', num: '0.10', at: new Date('2026-01-01T00:00:00Z') }]);
  });
});

/** Releases the first `count` callers together; later callers pass immediately. */
function gate(count: number): () => Promise<void> {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  let arrived = 0;
  return () => {
    arrived += 1;
    if (arrived === count) open();
    return opened;
  };
}
