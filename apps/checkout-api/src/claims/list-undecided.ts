import type { Undecided } from '@pay/contracts';
import type { Database } from '@pay/persistence';
import { claimsThatDelayExpiry } from './claim-repository';
import { intakeIsDone } from './intake-lock-repository';

/**
 * Contains the oldest undecided claim of each tenant. Undefined while an earlier intake transaction is open, because
 * expiry must wait for its claims, which cannot be read yet.
 */
export async function listUndecided({ db }: { readonly db: Database }): Promise<Undecided | undefined> {
  if (!(await intakeIsDone(db))) return undefined;
  const claims = await claimsThatDelayExpiry(db);
  return { undecided: claims.map((claim) => ({ ...claim, oldest: claim.oldest.toISOString() })) };
}
