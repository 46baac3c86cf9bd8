import type { Undecided } from '@pay/contracts';
import type { Database } from '@pay/persistence';
import { intakeIsDone } from '../db/intake-lock';
import { undecidedSms } from '../intake/sms-event-repository';

/**
 * Per tenant, the arrival time of the oldest undecided SMS, covering everything that was ingested before this call:
 * expiry relies on it. Undefined if it cannot be determined now.
 */
export async function listUndecided({ db }: { readonly db: Database }): Promise<Undecided | undefined> {
  if (!(await intakeIsDone(db))) return undefined;
  const undecided = await undecidedSms(db);
  return { undecided: undecided.map((each) => ({ ...each, oldest: each.oldest.toISOString() })) };
}
