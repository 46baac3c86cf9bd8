import { createMetrics } from '@pay/runtime';
import { openDatabase, openDatabaseClock, type Database } from '../src';
import { memoryLog, scratchDatabase } from './scratch-database';

const MINUTE = 60_000;

describe('the clock of the database', () => {
  let database: Awaited<ReturnType<typeof scratchDatabase>>;
  let db: Database;

  beforeAll(async () => {
    database = await scratchDatabase();
    db = await openDatabase({
      url: database.url,
      poolSize: 2,
      applicationName: 'spec',
      log: memoryLog(),
      migrations: [],
    });
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });

  /** For a machine clock with this error: the time by DatabaseClock, between two readings of the database. */
  async function readBeside(offsetMs: number) {
    const log = memoryLog();
    const metrics = createMetrics('spec');
    const machineClock = () => Date.now() + offsetMs;
    const clock = await openDatabaseClock({ db, log: log as never, metrics, machineClock });
    const read = async () => (await db.query<{ now: Date }>('select clock_timestamp() as now'))[0]!.now.getTime();
    const [before, between, after] = [await read(), clock.now().getTime(), await read()];
    return { before, between, after, lines: log.lines, metrics };
  }

  it.each([
    ['ten minutes behind', -10 * MINUTE],
    ['ten minutes ahead', 10 * MINUTE],
  ])('is used on a machine that is %s, with a warning and the difference as a metric', async (_case, offsetMs) => {
    const { before, between, after, lines, metrics } = await readBeside(offsetMs);

    // A measurement is accurate to half of its round trip.
    expect(between).toBeGreaterThan(before - MINUTE);
    expect(between).toBeLessThan(after + MINUTE);
    expect(lines).toEqual([{ level: 'warn', message: 'clock.differs_from_database' }]);
    const sample = /^database_clock_difference_seconds\{.*\} (\S+)/m.exec(await metrics.registry.metrics());
    expect(Math.abs(Number(sample?.[1]) + offsetMs / 1_000)).toBeLessThan(60);
  });

  it('keeps the difference after a measurement that is too slow to contradict it', async () => {
    let machine = Date.now() - 3_000;
    let roundTripMs = 0;
    const slow = {
      query: async () => {
        machine += roundTripMs;
        return [{ now: machine + 3_000 - roundTripMs / 2 }] as never;
      },
    };
    const log = memoryLog();
    const clock = await openDatabaseClock({
      db: slow,
      log: log as never,
      metrics: createMetrics('spec'),
      machineClock: () => machine,
    });
    const difference = () => clock.now().getTime() - machine;
    const measureAgain = async (took: number) => {
      roundTripMs = took;
      const stop = new AbortController();
      const running = clock.worker.run(stop.signal);
      stop.abort();
      await running;
    };

    expect(difference()).toBe(3_000);
    await measureAgain(8_000);

    expect(difference()).toBe(3_000);
  });

  it('is the clock of the machine when both agree, without a warning', async () => {
    const { before, between, after, lines } = await readBeside(0);

    expect(between).toBeGreaterThanOrEqual(before - 1);
    expect(between).toBeLessThanOrEqual(after + 1);
    expect(lines).toEqual([]);
  });
});
