import { eventually, promptly } from '@pay/testing';
import { groupCommit, isConnectionLoss, migrate, openDatabase, type Database, type Transaction } from '../src';
import { memoryLog, scratchDatabase } from './scratch-database';

const migrations = [
  {
    name: '20260101000000-create-notes',
    sql: 'create table notes (id int primary key, tx bigint not null default txid_current(), n int)',
  },
];

describe('group commit', () => {
  let database: Awaited<ReturnType<typeof scratchDatabase>>;
  let db: Database;

  beforeAll(async () => {
    database = await scratchDatabase();
    await migrate({ url: database.url, migrations, log: memoryLog() });
    db = await openDatabase({ url: database.url, poolSize: 4, applicationName: 'spec', log: memoryLog(), migrations });
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });
  beforeEach(() => db.execute('truncate notes'));

  async function insert(tx: Transaction, items: readonly number[]): Promise<number[]> {
    await tx.execute('insert into notes (id) select unnest($1::int[])', [items]);
    return items.map((item) => item * 10);
  }
  const transactions = async () =>
    Number((await db.query<{ n: string }>('select count(distinct tx) as n from notes'))[0]?.n);

  it('returns to each concurrent caller its own result, in few transactions', async () => {
    const save = groupCommit<number, number>({ db, name: 'save', maxItems: 50, run: insert });
    const ids = Array.from({ length: 200 }, (_, i) => i);

    const results = await Promise.all(ids.map((id) => save(id)));

    expect(results).toEqual(ids.map((id) => id * 10));
    expect(await transactions()).toBe(4);
  });

  it('collects items during a transaction and handles them in order of arrival', async () => {
    const batches: number[][] = [];
    const save = groupCommit<number, number>({
      db,
      name: 'save',
      run: async (tx, items) => {
        batches.push([...items]);
        return insert(tx, items);
      },
    });

    const first = save(1);
    await tick();
    const rest = [2, 3, 4].map((id) => save(id));
    await Promise.all([first, ...rest]);

    expect(batches).toEqual([[1], [2, 3, 4]]);
  });

  it('starts a transaction for a single caller without waiting', async () => {
    const save = groupCommit<number, number>({ db, name: 'save', run: insert });

    let saved = 0;
    await promptly(500, async () => {
      const before = performance.now();
      await save((saved += 1));
      return performance.now() - before;
    });

    expect(await transactions()).toBe(saved);
  });

  it('starts at most once per interval, but immediately after a pause and with a full batch', async () => {
    const batches: number[][] = [];
    const saved = (atMostEveryMs: number) =>
      groupCommit<number, number>({
        db,
        name: 'save',
        maxItems: 3,
        atMostEveryMs,
        run: async (tx, items) => {
          batches.push([...items]);
          return insert(tx, items);
        },
      });

    // Longer than the test may take.
    const seldom = saved(3_600_000);
    await seldom(1);
    const resting = seldom(2);
    await tick();
    await Promise.all([resting, seldom(3), seldom(4)]);
    const often = saved(20);
    await often(5);
    await often(6);

    expect(batches).toEqual([[1], [2, 3, 4], [5], [6]]);
  });

  it('starts a second transaction while one runs, and no third', async () => {
    const sizes: number[] = [];
    let atOnce = 0;
    let mostAtOnce = 0;
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const save = groupCommit<number, number>({
      db,
      name: 'save',
      parallelCommits: 2,
      run: async (tx, items) => {
        sizes.push(items.length);
        mostAtOnce = Math.max(mostAtOnce, (atOnce += 1));
        await released;
        const saved = await insert(tx, items);
        atOnce -= 1;
        return saved;
      },
    });
    const saving: Promise<number>[] = [];
    const saveAll = async (from: number, to: number) => {
      for (let id = from; id <= to; id += 1) saving.push(save(id));
      await tick();
    };

    await saveAll(1, 1);
    await saveAll(2, 25);
    await saveAll(26, 60);
    await eventually(async () => atOnce === 2, 'two transactions run');
    release();
    await Promise.all(saving);

    expect(sizes).toEqual([1, 24, 35]);
    expect(mostAtOnce).toBe(2);
  });

  it('fails only the item that causes the error', async () => {
    await db.execute('insert into notes (id) values (3)');
    const save = groupCommit<number, number>({ db, name: 'save', run: insert });

    const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map((id) => save(id)));

    expect(outcomes.map((each) => each.status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(await db.query('select id from notes order by id')).toHaveLength(5);
  });

  it('rejects every caller of a transaction whose connection was lost', async () => {
    let runs = 0;
    const save = groupCommit<number, number>({
      db,
      name: 'save',
      run: async (tx, items) => {
        runs += 1;
        const [row] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
        await db.query('select pg_terminate_backend($1)', [row!.pid]);
        return insert(tx, items);
      },
    });

    const outcomes = await Promise.allSettled([1, 2, 3].map((id) => save(id)));

    expect(outcomes.every((each) => each.status === 'rejected' && isConnectionLoss(each.reason))).toBe(true);
    expect(runs).toBe(1);
    expect(await db.query('select id from notes')).toEqual([]);
  });

  it('returns results of enqueued statements after the commit, and does not repeat committed items', async () => {
    const save = groupCommit<number, number>({
      db,
      name: 'save',
      run: async (tx, items) => {
        let stored: { id: number }[] = [];
        tx.enqueue(
          'insert into notes (id) select * from unnest($1::int[]) returning id',
          [items],
          (rows: typeof stored) => {
            stored = rows;
          },
        );
        return () => stored.filter(({ id }) => id !== 3).map(({ id }) => id * 10);
      },
    });

    expect(await Promise.all([1, 2].map((id) => save(id)))).toEqual([10, 20]);
    const short = await Promise.allSettled([3, 4].map((id) => save(id)));

    expect(short.map((each) => each.status)).toEqual(['rejected', 'rejected']);
    expect(await db.query('select id from notes order by id')).toHaveLength(4);
    expect(await transactions()).toBe(2);
  });

  it('throws when a run does not return a result for every item', async () => {
    const save = groupCommit<number, number>({
      db,
      name: 'save',
      run: async (tx, items) => (await insert(tx, items)).slice(1),
    });

    await expect(save(1)).rejects.toThrow('save returned 0 results for 1 items');
    expect(await db.query('select id from notes')).toHaveLength(0);
  });
});

const tick = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
