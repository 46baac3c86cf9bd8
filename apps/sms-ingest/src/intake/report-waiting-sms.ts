import { WAITING_SMS } from '@pay/contracts';
import type { Database } from '@pay/persistence';
import { every, type Logger, type Worker } from '@pay/runtime';
import type { WaitingSms } from './waiting-sms';
import { reportWaiting } from './waiting-sms-repository';

export interface ReportWaitingSmsDeps {
  /** A connection that no other statement can occupy. */
  readonly db: Pick<Database, 'transaction'>;
  readonly waiting: Pick<WaitingSms, 'longWaiting' | 'size'>;
  readonly processId: string;
  readonly log: Logger;
}

/**
 * Reports tenants whose SMS wait long in the memory of this process to all processes. Requests in progress may outlast
 * the stop of the process, so it ends after the last SMS is stored.
 */
export function reportWaitingSms({ db, waiting, processId, log }: ReportWaitingSmsDeps): Worker {
  let isReported = false;
  const report = async () => {
    const tenants = waiting.longWaiting();
    if (tenants.length === 0 && !isReported) return;
    isReported = true;
    await reportWaiting(db, processId, tenants);
    isReported = tenants.length > 0;
  };
  return every('report-waiting-sms', WAITING_SMS.reportIntervalMs, report, { log, isDone: () => waiting.size === 0 });
}
