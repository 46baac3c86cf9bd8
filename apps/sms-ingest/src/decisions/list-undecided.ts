import type { Undecided } from '@pay/contracts';
import type { Database } from '@pay/persistence';
import { intakeIsDone } from '../db/intake-lock';
import { undecidedSms } from '../intake/sms-event-repository';
import { waitingTenants } from '../intake/waiting-sms-repository';

/**
 * Per tenant, the arrival time of the oldest undecided SMS, covering everything that was ingested before this call:
 * expiry relies on it. Undefined if it cannot be determined now.
 */
export async function listUndecided({ db }: { readonly db: Database }): Promise<Undecided | undefined> {
  // Read first: an SMS that no longer waits is stored, and the later queries find it.
  const waiting = await waitingTenants(db);
  if (!(await intakeIsDone(db))) return undefined;
  const undecided = await undecidedSms(db);
  return { undecided: [...waiting, ...undecided].map((each) => ({ ...each, oldest: each.oldest.toISOString() })) };
}
