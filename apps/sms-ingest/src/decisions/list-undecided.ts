import type { Undecided } from '@pay/contracts';
import type { Database } from '@pay/persistence';
import { intakeIsDone } from '../db/intake-lock';
import { undecidedSms } from '../intake/sms-event-repository';

/**
 * Per merchant and environment, when the oldest SMS came in that the reconciler has not judged. Nothing that was
 * ingested before this call is missing: expiry relies on that, since money in time must not turn into late money
 * because its transaction was slow. Undefined when that cannot be said right now.
 */
export async function listUndecided({ db }: { readonly db: Database }): Promise<Undecided | undefined> {
  if (!(await intakeIsDone(db))) return undefined;
  const undecided = await undecidedSms(db);
  return { undecided: undecided.map((each) => ({ ...each, oldest: each.oldest.toISOString() })) };
}
