import { setTimeout as delay } from 'node:timers/promises';
import { isConnectionLoss, type Database } from '@pay/persistence';
import { backOff, type Logger } from '@pay/runtime';
import { BrokerUnavailable, Unroutable } from '../errors';
import type { QueueName } from '../broker/topology';
import { OUTAGE_WAITS } from '../timings';

export interface Patience {
  readonly db: Pick<Database, 'ping'>;
  readonly log: Logger;
  readonly queue: QueueName;
  readonly repairTopology: () => Promise<void>;
  /** After this time without the database, messages are returned to the queue: another process may reach it. */
  readonly releaseAfterMs: number;
  /** The messages belong to another consumer, or the process stops. */
  readonly isOver: () => boolean;
}

/**
 * Retries work with increasing pauses while the database or broker is unavailable; returns false if it gave up. The
 * messages stay unacknowledged, because returning them would increase their delivery counts.
 */
export async function withPatience(patience: Patience, work: () => Promise<void>): Promise<boolean> {
  const { log, queue, isOver } = patience;
  let databaseSilentSince: number | undefined;
  const pauses = backOff(OUTAGE_WAITS);
  for (let isPaused = false; ; isPaused = true) {
    try {
      await work();
      if (isPaused) log.info({ queue }, 'consumer.resumed');
      return true;
    } catch (error) {
      if (!isOutage(error)) throw error;
      if (!isPaused) log.warn({ queue, err: error }, 'consumer.paused');
      if (error instanceof Unroutable) await patience.repairTopology().catch(() => undefined);
    }
    for (let answered = false; !answered;) {
      await pause(pauses.next(), isOver);
      if (isOver()) return false;
      answered = await answers(patience.db);
      databaseSilentSince = answered ? undefined : (databaseSilentSince ?? performance.now());
      if (databaseSilentSince !== undefined && performance.now() - databaseSilentSince > patience.releaseAfterMs)
        return false;
    }
  }
}

function isOutage(error: unknown): boolean {
  return isConnectionLoss(error) || error instanceof BrokerUnavailable || error instanceof Unroutable;
}

async function answers(db: Pick<Database, 'ping'>): Promise<boolean> {
  return db.ping().then(
    () => true,
    () => false,
  );
}

const SLICE_MS = 100;

/** Waits in short steps, so that it notices soon when the session or process ends. */
async function pause(ms: number, isOver: () => boolean): Promise<void> {
  for (let rest = ms; rest > 0 && !isOver(); rest -= SLICE_MS) await delay(Math.min(rest, SLICE_MS));
}
