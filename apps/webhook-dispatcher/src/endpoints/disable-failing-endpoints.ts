import type { Queryable } from '@pay/persistence';
import type { Logger } from '@pay/runtime';
import { switchOffFailing, takeWarnings } from './endpoint-health-repository';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const WARNED_AFTER = [HOUR, DAY, 4 * DAY];
const OFF_AFTER = 5 * DAY;
const OFF_AFTER_ATTEMPTS = 50;

export interface DisableFailingDeps {
  readonly db: Queryable;
  readonly log: Logger;
  readonly timeScale: number;
}

/**
 * Events of a disabled endpoint are held and can be recovered. Merchants see `failingSince` and `disabledReason`; the
 * log is for operators.
 */
export async function disableFailingEndpoints({ db, log, timeScale }: DisableFailingDeps): Promise<void> {
  const warned = await takeWarnings(
    db,
    WARNED_AFTER.map((seconds) => seconds * timeScale),
  );
  for (const endpoint of warned) log.warn(endpoint, 'endpoint.failing');
  const off = await switchOffFailing(db, OFF_AFTER * timeScale, OFF_AFTER_ATTEMPTS);
  for (const endpoint of off) log.warn({ ...endpoint, reason: 'NO_SUCCESS' }, 'endpoint.switched_off');
}
