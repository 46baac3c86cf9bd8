import { openMessaging, outboxOnly, type Messaging } from '@pay/messaging';
import { isConnectionLoss, openDatabase, type Database, type Transaction } from '@pay/persistence';
import {
  commonConfig,
  ConfigError,
  createLogger,
  createMetrics,
  createSecretBox,
  encryptionKeys,
  loadConfig,
  newId,
  pollUntil,
  UsageError,
} from '@pay/runtime';
import { z } from 'zod';
import { createMailQueue } from '../mails/mail-queue';
import type { RepairDeps } from '../sign-in/repair-access';
import { migrations } from '../db/migrations';
import { resendDirectoryToAll } from '../directory/resend-directory';
import { Refusal } from '../changes/refusal';

const service = 'dashboard-api';
/** A revocation must be stored even if the broker does not respond. */
const BROKER_PATIENCE_MS = 3_000;
const LOOK_EVERY_MS = 20;

/** Validated like the settings of the service. */
const { NODE_ENV, DATABASE_URL, DATABASE_TLS, AMQP_URL, AMQP_TLS, AMQP_NAMESPACE, EVENT_SIGNING_KEYS } = commonConfig;
const writerSettings = z.object({
  EVENT_SIGNING_KEYS: EVENT_SIGNING_KEYS.optional(),
  TOTP_ENCRYPTION_KEYS: encryptionKeys().optional(),
  NODE_ENV,
  DATABASE_URL,
  DATABASE_TLS,
  AMQP_URL: AMQP_URL.optional(),
  AMQP_TLS,
  AMQP_NAMESPACE,
});
type WriterSettings = z.infer<typeof writerSettings>;

export interface WriterOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly actor: string;
}

/**
 * Runs one transaction of a command. With AMQP_URL and EVENT_SIGNING_KEYS its events are published before this returns;
 * otherwise, or if the broker is unavailable, they stay in the outbox and the running dashboard-api publishes them.
 */
export async function withWriter<T>(
  { env, actor }: WriterOptions,
  work: (deps: RepairDeps, tx: Transaction) => Promise<T>,
): Promise<T> {
  const { DATABASE_URL: url, TOTP_ENCRYPTION_KEYS: mailKeys, ...broker } = readSettings(env);
  const log = createLogger({ service, level: 'silent' });
  const options = { url, poolSize: 2, applicationName: `${service} command`, log, migrations };
  const db = await openDatabase(options).catch(explainConnection);
  try {
    const messaging = await reachBroker(broker, db);
    try {
      const now = () => new Date();
      // The running dashboard-api sends queued mails.
      const mails = mailKeys && createMailQueue({ box: createSecretBox(mailKeys, 'mail'), now, newId });
      const deps = { messaging: messaging ?? outboxOnly(), actor, now, newId, mails };
      return await db.transaction((tx) => work(deps, tx)).catch(explainRefusal);
    } finally {
      // Closing waits until committed events are published and confirmed.
      await messaging?.close();
    }
  } finally {
    await db.close();
  }
}

/** The error of a refused connection does not name the setting that contains its address. */
function explainConnection(error: unknown): never {
  if (!isConnectionLoss(error)) throw error;
  const causes = error instanceof AggregateError ? error.errors : [error];
  const reasons = causes.map((each) => (each instanceof Error ? each.message : String(each))).join('; ');
  throw new Error(`DATABASE_URL: the database cannot be reached (${reasons}); start it, or correct the address`, {
    cause: error,
  });
}

function explainRefusal(error: unknown): never {
  throw error instanceof Refusal ? new UsageError([`${error.field}: ${error.message}`]) : error;
}

function readSettings(env: NodeJS.ProcessEnv): WriterSettings {
  try {
    return loadConfig(writerSettings, env);
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError([...error.problems]) : error;
  }
}

async function reachBroker(
  { AMQP_URL: url, AMQP_NAMESPACE: namespace, EVENT_SIGNING_KEYS: signing }: Omit<WriterSettings, 'DATABASE_URL'>,
  db: Database,
): Promise<Messaging | undefined> {
  if (url === undefined) return undefined;
  if (signing === undefined) {
    process.stderr.write('EVENT_SIGNING_KEYS is not set; the running dashboard-api will publish the change.\n');
    return undefined;
  }
  const log = createLogger({ service, level: 'silent' });
  const metrics = createMetrics(service);
  const messaging = await openMessaging({
    url,
    namespace,
    service,
    eventKeys: { signing },
    db,
    log,
    metrics,
    onNewEpoch: (tx) => resendDirectoryToAll({ messaging: outboxOnly(), now: () => new Date(), newId }, tx),
  });
  const patience = { everyMs: LOOK_EVERY_MS, withinMs: BROKER_PATIENCE_MS };
  if (await pollUntil(() => Promise.resolve(isReached(messaging)), Boolean, patience)) return messaging;
  process.stderr.write('AMQP_URL cannot be reached; the running dashboard-api will publish the change.\n');
  await messaging.close();
  return undefined;
}

function isReached(messaging: Messaging): boolean {
  try {
    messaging.checks.broker();
    return true;
  } catch {
    return false;
  }
}
