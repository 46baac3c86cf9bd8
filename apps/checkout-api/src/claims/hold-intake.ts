import { WAITING_SMS } from '@pay/contracts';
import type { Database } from '@pay/persistence';
import { every, type Logger, type Worker } from '@pay/runtime';
import { holdIntakeWhile } from './intake-lock-repository';
import type { WaitingClaims } from './waiting-claims';

export interface HoldIntakeDeps {
  /** A separate connection, so that other statements cannot occupy it. */
  readonly db: Pick<Database, 'transaction'>;
  readonly waiting: Pick<WaitingClaims, 'isLong' | 'size'>;
  readonly log: Logger;
}

/**
 * While claims wait long in memory, no replica may list undecided claims. The worker ends after the last claim is
 * stored, because requests in progress can outlast the stop of the process.
 */
export function holdIntake({ db, waiting, log }: HoldIntakeDeps): Worker {
  const hold = async () => {
    if (waiting.isLong()) await holdIntakeWhile(db, () => waiting.isLong());
  };
  return every('hold-intake', WAITING_SMS.reportIntervalMs, hold, { log, isDone: () => waiting.size === 0 });
}
