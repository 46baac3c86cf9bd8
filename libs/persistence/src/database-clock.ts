import { every, type Logger, type Metrics, type Worker } from '@pay/runtime';
import type { Database } from './database';
import { statement } from './statement';

const MEASURE_INTERVAL_MS = 10_000;
/** A smaller difference is within the error of the measurement. */
const NOISE_MS = 100;
const WARN_ABOVE_MS = 1_000;

const READ_CLOCK = statement('read-clock', 'select extract(epoch from clock_timestamp())::float8 * 1000 as now');

export interface DatabaseClockDeps {
  readonly db: Pick<Database, 'query'>;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'gauge'>;
  /** Milliseconds since 1970 by the clock of this machine. */
  readonly machineClock?: () => number;
}

export interface DatabaseClock {
  readonly now: () => Date;
  readonly worker: Worker;
}

/**
 * The time of the database, by which intents expire: deadlines and arrival times must use the same clock. Computed from
 * this machine's clock and the last measured difference, without a query.
 */
export async function openDatabaseClock(deps: DatabaseClockDeps): Promise<DatabaseClock> {
  const { db, log, metrics, machineClock = Date.now } = deps;
  let differenceMs = 0;
  metrics.gauge('database_clock_difference_seconds', (gauge) => gauge.set(differenceMs / 1_000));

  async function measure(): Promise<void> {
    const askedAt = machineClock();
    const [row] = await db.query<{ now: number }>(READ_CLOCK);
    const answeredAt = machineClock();
    const measured = (row?.now ?? answeredAt) - (askedAt + answeredAt) / 2;
    const error = NOISE_MS + (answeredAt - askedAt);
    // The error is half the round trip, so a slow answer is only used if the difference exceeds it.
    if (Math.abs(measured - differenceMs) <= error) return;
    const next = Math.abs(measured) > error ? Math.round(measured) : 0;
    if (Math.abs(next) > WARN_ABOVE_MS && Math.abs(next - differenceMs) > WARN_ABOVE_MS) {
      log.warn({ differenceSeconds: next / 1_000 }, 'clock.differs_from_database');
    }
    differenceMs = next;
  }

  await measure();
  return {
    now: () => new Date(machineClock() + differenceMs),
    worker: every('database-clock', MEASURE_INTERVAL_MS, measure, { log }),
  };
}
