import type { Database } from '@pay/persistence';
import type { Logger } from '@pay/runtime';
import type { BalanceMetrics } from './balance-metrics';
import { openDueGaps } from './missing-sms-repository';

export interface OpenMissingSmsDeps {
  readonly db: Database;
  readonly metrics: BalanceMetrics;
  readonly log: Logger;
  readonly now: () => Date;
  /** Grace period for late texts before a gap is reported. */
  readonly graceMs: number;
}

const MOST_AT_ONCE = 200;

/** Reports gaps that are unexplained after the grace period. */
export async function openMissingSms({ db, metrics, log, now, graceMs }: OpenMissingSmsDeps): Promise<void> {
  let opened: number;
  do {
    const at = now();
    const found = await openDueGaps(db, new Date(at.getTime() - graceMs), at, MOST_AT_ONCE);
    for (const { merchantId, environment, direction, gaps } of found) {
      metrics.found.inc({ environment, direction }, gaps);
      log.warn({ merchantId, environment, direction, gaps }, 'sms.missing');
    }
    opened = found.reduce((sum, { gaps }) => sum + gaps, 0);
  } while (opened === MOST_AT_ONCE);
}
