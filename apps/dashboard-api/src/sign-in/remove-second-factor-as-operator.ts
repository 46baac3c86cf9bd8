import type { Transaction } from '@pay/persistence';
import { Refusal } from '../changes/refusal';
import { auditPerson } from './audit-person';
import { repairAccess, type RepairDeps, type Repaired } from './repair-access';
import { deleteSecondFactor } from './second-factor-repository';

/** For people who have lost the authenticator and the recovery codes. The password stays. */
export async function removeSecondFactorAsOperator(
  deps: RepairDeps,
  tx: Transaction,
  { email }: { readonly email: string },
): Promise<Repaired> {
  return repairAccess(deps, tx, { email, because: 'access_withdrawn' }, async (person) => {
    if ((await deleteSecondFactor(tx, person.id)) === 0) throw new Refusal('email', `${email} has no second factor`);
    await auditPerson(deps, tx, { person, action: 'user.two_factor_disabled', actor: deps.actor });
    return {};
  });
}
