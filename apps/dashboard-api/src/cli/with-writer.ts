import { setTimeout as delay } from 'node:timers/promises';
import { openMessaging, outboxOnly, type Messaging } from '@pay/messaging';
import { openDatabase, type Database, type Transaction } from '@pay/persistence';
import { createLogger, createMetrics, newId } from '@pay/runtime';
import { migrations } from '../db/migrations';
import type { ChangeDeps } from '../store-change';
import { UsageError } from './usage-error';

const service = 'dashboard-api';
/** A broker that does not answer must not keep a revocation from being stored. */
const BROKER_PATIENCE_MS = 3_000;
const LOOK_EVERY_MS = 20;

export interface WriterOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly actor: string;
}

/**
 * Runs one transaction of a command. With AMQP_URL its events are published before this returns; without it, or while the broker is away,
 * they stay in the outbox, and the running dashboard-api publishes them.
 */
export async function withWriter<T>(
  { env, actor }: WriterOptions,
  work: (deps: ChangeDeps, tx: Transaction) => Promise<T>,
): Promise<T> {
  const url = env['DATABASE_URL'];
  if (!url) throw new UsageError(["DATABASE_URL is required: the Postgres connection of dashboard-api's role"]);
  const log = createLogger({ service, level: 'silent' });
  const db = await openDatabase({ url, poolSize: 2, applicationName: `${service} command`, log, migrations });
  try {
    const messaging = await reachBroker(env, db);
    try {
      const deps = { messaging: messaging ?? outboxOnly(), actor, now: () => new Date(), newId };
      return await db.transaction((tx) => work(deps, tx));
    } finally {
      // Closing waits for what has been committed to be published and confirmed.
      await messaging?.close();
    }
  } finally {
    await db.close();
  }
}

async function reachBroker(env: NodeJS.ProcessEnv, db: Database): Promise<Messaging | undefined> {
  const url = env['AMQP_URL'];
  if (!url) return undefined;
  const log = createLogger({ service, level: 'silent' });
  const namespace = env['AMQP_NAMESPACE'] ?? '';
  const messaging = await openMessaging({ url, namespace, service, db, log, metrics: createMetrics(service) });
  const deadline = Date.now() + BROKER_PATIENCE_MS;
  while (!isReached(messaging)) {
    if (Date.now() >= deadline) {
      process.stderr.write('AMQP_URL cannot be reached; the running dashboard-api will publish the change.\n');
      await messaging.close();
      return undefined;
    }
    await delay(LOOK_EVERY_MS);
  }
  return messaging;
}

function isReached(messaging: Messaging): boolean {
  try {
    messaging.checks.broker();
    return true;
  } catch {
    return false;
  }
}
