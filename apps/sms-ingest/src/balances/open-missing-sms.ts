import type { BalanceMetrics } from './balance-metrics';
import { openDueGaps } from './missing-sms-repository';
import type { ServiceDeps } from '../service-deps';

export interface OpenMissingSmsDeps extends Pick<ServiceDeps, 'db' | 'log' | 'now'> {
  readonly metrics: BalanceMetrics;
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
