import { setTimeout as delay } from 'node:timers/promises';
import { migrate, openDatabase, type Database } from '@pay/persistence';
import { createLogger, createMetrics, type Metrics } from '@pay/runtime';
import { testDatabase } from '@pay/testing';
import { openRateLimits, rateLimitMigrations, type Limit, type Limiter, type RateLimits } from '../src/index';

const service = 'intent-api';
export const log = createLogger({ service, level: 'silent' });

export interface Replica {
  readonly limits: RateLimits;
  readonly db: Database;
  readonly metrics: Metrics;
  /** Makes Postgres unreachable for this replica. */
  loseDatabase(): Promise<void>;
  stop(): Promise<void>;
}
export interface ReplicasUnderTest {
  readonly db: Database;
  /** Another process of the service. Its worker runs unless the test disables it. */
  replica(options?: { runs?: boolean }): Promise<Replica>;
  dispose(): Promise<void>;
}

export async function replicasUnderTest(): Promise<ReplicasUnderTest> {
  const migrations = rateLimitMigrations;
  const database = await testDatabase({ service, migrate: (url) => migrate({ url, migrations, log }) });
  const open = () =>
    openDatabase({
      url: database.url,
      poolSize: 2,
      applicationName: service,
      log,
      migrations,
      statementTimeoutMs: 2_000,
    });
  const db = await open();
  const replicas: Replica[] = [];
  let opened = 0;

  return {
    db,
    async replica({ runs = true } = {}) {
      const own = await open();
      const metrics = createMetrics(service);
      opened += 1;
      const clock = () => performance.now();
      const limits = openRateLimits({ db: own, replica: `replica ${opened}`, log, metrics, clock });
      const stop = new AbortController();
      const ended = runs ? limits.worker().run(stop.signal) : Promise.resolve();
      let hasDatabase = true;
      const replica: Replica = {
        limits,
        db: own,
        metrics,
        async loseDatabase() {
          hasDatabase = false;
          await own.close();
        },
        async stop() {
          replicas.splice(replicas.indexOf(replica), 1);
          stop.abort();
          await ended;
          if (hasDatabase) await own.close();
        },
      };
      replicas.push(replica);
      return replica;
    },
    async dispose() {
      for (const replica of [...replicas]) await replica.stop();
      await db.close();
      await database.drop();
    },
  };
}

interface Answers {
  /** Allowed requests per second. */
  readonly allowed: number[];
  readonly refused: number;
}

/** Maximum seconds of requests that are sent after a pause of the machine. */
const CATCHES_UP_SECONDS = 0.1;
const PAUSE_MS = 2;

/** Sends `perSecond` requests per second for `seconds`. */
export async function askAndCount(
  limiter: Limiter,
  subject: string,
  perSecond: number,
  seconds: number,
): Promise<Answers> {
  const allowed = Array.from({ length: seconds }, () => 0);
  let refused = 0;
  const begun = performance.now();
  let asked = 0;
  for (;;) {
    const elapsed = (performance.now() - begun) / 1_000;
    if (elapsed >= seconds) return { allowed, refused };
    asked = Math.max(asked, Math.floor((elapsed - CATCHES_UP_SECONDS) * perSecond));
    for (; asked < elapsed * perSecond; asked += 1) {
      if (limiter.take(subject).allowed) allowed[Math.floor(elapsed)] = (allowed[Math.floor(elapsed)] ?? 0) + 1;
      else refused += 1;
    }
    await delay(PAUSE_MS);
  }
}

/** Allowed requests per second. */
export async function ask(...asked: Parameters<typeof askAndCount>): Promise<number[]> {
  return (await askAndCount(...asked)).allowed;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0);
}

export const PER_SECOND: Limit = { name: 'api_key_live', count: 100, seconds: 1 };
