import type { Undecided } from '@pay/contracts';
import type { Database } from '@pay/persistence';
import { claimsThatDelayExpiry } from './claim-repository';
import { intakeIsDone } from './intake-lock-repository';

/**
 * Per merchant and environment, when the oldest undecided claim that delays expiry was submitted. Undefined while an
 * earlier transaction that stores claims is open: expiry must wait for those claims, which cannot be read yet.
 */
export async function listUndecided({ db }: { readonly db: Database }): Promise<Undecided | undefined> {
  if (!(await intakeIsDone(db))) return undefined;
  const claims = await claimsThatDelayExpiry(db);
  return { undecided: claims.map((claim) => ({ ...claim, oldest: claim.oldest.toISOString() })) };
}
