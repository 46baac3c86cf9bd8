import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceName } from '@pay/contracts';
import { draft, type EventDraft, type Messaging } from '@pay/messaging';
import type { Database } from '@pay/persistence';
import type { Logger, Worker } from '@pay/runtime';

export interface KeyUseDeps {
  readonly db: Pick<Database, 'transaction'>;
  readonly messaging: Pick<Messaging, 'publish'>;
  readonly service: ServiceName;
  readonly log: Logger;
  readonly now: () => Date;
  /** Report interval: one minute, except in tests. */
  readonly intervalMs?: number;
}

export interface KeyUse {
  note(apiKeyId: string): void;
  /**
   * Reports the keys used since the last report to dashboard-api, at most once per interval and when the process ends.
   */
  worker(): Worker;
}

const INTERVAL_MS = 60_000;
const MOST_USES_PER_EVENT = 500;

/** A report that is lost with a process costs only a minute of accuracy. */
export function keyUse({ db, messaging, service, log, now, intervalMs = INTERVAL_MS }: KeyUseDeps): KeyUse {
  let lastUses = new Map<string, number>();

  async function report(): Promise<void> {
    const reported = lastUses;
    if (reported.size === 0) return;
    lastUses = new Map();
    const uses = [...reported].map(([apiKeyId, at]) => ({ apiKeyId, usedAt: new Date(at).toISOString() }));
    const events: EventDraft[] = [];
    for (let from = 0; from < uses.length; from += MOST_USES_PER_EVENT) {
      const data = { uses: uses.slice(from, from + MOST_USES_PER_EVENT) };
      const about = { environment: null, merchantId: null, aggregateId: service, sequence: 0, occurredAt: now() };
      events.push(draft('api_key.used', { ...about, data }));
    }
    try {
      await db.transaction((tx) => messaging.publish(tx, events));
    } catch (error) {
      // Reported next time, unless the key was used again meanwhile.
      lastUses = new Map([...reported, ...lastUses]);
      log.warn({ err: error, keys: reported.size }, 'directory.key_use_not_reported');
    }
  }

  return {
    note: (apiKeyId) => void lastUses.set(apiKeyId, now().getTime()),
    worker: () => ({
      name: 'directory-key-use',
      async run(signal) {
        while (!signal.aborted) {
          await delay(intervalMs, undefined, { signal }).catch(() => undefined);
          await report();
        }
      },
    }),
  };
}
