import { WAITING_SMS } from '@pay/contracts';
import type { Database } from '@pay/persistence';
import { every, type Logger, type Worker } from '@pay/runtime';
import { holdIntakeWhile } from './intake-lock-repository';
import type { WaitingClaims } from './waiting-claims';

export interface HoldIntakeDeps {
  /** A connection that no other statement can occupy. */
  readonly db: Pick<Database, 'transaction'>;
  readonly waiting: Pick<WaitingClaims, 'isLong' | 'size'>;
  readonly log: Logger;
}

/**
 * Holds the intake for claims that wait long in the memory of this process: no replica can list undecided claims until
 * they are stored. Requests in progress may outlast the stop of the process, so it ends after the last claim is stored.
 */
export function holdIntake({ db, waiting, log }: HoldIntakeDeps): Worker {
  const hold = async () => {
    if (waiting.isLong()) await holdIntakeWhile(db, () => waiting.isLong());
  };
  return every('hold-intake', WAITING_SMS.reportIntervalMs, hold, { log, isDone: () => waiting.size === 0 });
}
