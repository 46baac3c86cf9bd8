import type { CheckoutAction } from '@pay/contracts';
import type { Database } from '@pay/persistence';
import { knownNames } from '@pay/rate-limits';
import { every, type Worker } from '@pay/runtime';
import { storeActivity, type Activity } from './activity-repository';
import type { ServiceDeps } from '../service-deps';

/** Actions are gathered this long for one commit. No request waits for it. */
const STORE_EVERY_MS = 500;
const MOST_TOGETHER = 1_000;
/** Maximum number of actions in memory while the database is unavailable; further ones are dropped. */
const MOST_WAITING = 20_000;

export interface ActivityRecorderDeps extends Pick<ServiceDeps, 'log' | 'now'> {
  readonly db: Pick<Database, 'execute'>;
  /** Milliseconds. */
  readonly clock: () => number;
}

export interface ActivityRecorder {
  /** Synchronous; never throws. The intent must exist. */
  readonly record: (intentId: string, action: Exclude<CheckoutAction, 'method_chosen'>, detail?: string) => void;
  readonly worker: Worker;
}

/**
 * Writes actions in the background. A replica does not write a repeated action for some minutes, and a killed process
 * loses actions that are not stored yet.
 */
export function activityRecorder({ db, log, now, clock }: ActivityRecorderDeps): ActivityRecorder {
  const name = 'store-checkout-activity';
  const seen = knownNames(clock);
  const waiting = new Map<string, Activity>();

  async function store(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, MOST_TOGETHER);
      await storeActivity(
        db,
        batch.map(([, activity]) => activity),
      );
      for (const [key] of batch) waiting.delete(key);
    }
  }

  return {
    record(intentId, action, detail = '') {
      const key = `${intentId} ${action} ${detail}`;
      if (seen.has(key) || waiting.size >= MOST_WAITING) return;
      seen.note(key);
      waiting.set(key, { intentId, action, detail, at: now() });
    },
    worker: {
      name,
      async run(signal) {
        await every(name, STORE_EVERY_MS, store, { log }).run(signal);
        await store().catch((error: unknown) => log.error({ task: name, err: error }, 'task.failed'));
      },
    },
  };
}
