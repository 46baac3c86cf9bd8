import type { Role } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import { createUser, type CreateUserInput } from './create-user';
import { findMember, insertMembership } from './membership-repository';
import { users } from '../db/tables';
import { lockMerchant } from '../changes/lock-record';
import { recordAction } from '../changes/record-action';
import { Refusal } from '../changes/refusal';
import type { ChangeDeps } from '../changes/store-change';

/** Uses the account of the address if there is one, and keeps its password. Otherwise creates an account. */
export async function addMember(
  deps: ChangeDeps,
  tx: Transaction,
  input: CreateUserInput,
): Promise<{ userId: string; email: string; role: Role; password: string | null }> {
  const { merchantId, role } = input;
  const email = input.email.toLowerCase();
  await lockMerchant(tx, merchantId);
  const known = await users.findBy(tx, 'lockPresentByEmail', [email]);
  if (!known) return createUser(deps, tx, input);
  if (await findMember(tx, known.id, merchantId))
    throw new Refusal('email', `${email} belongs to this merchant already`, 'ALREADY_MEMBER');
  await insertMembership(tx, known.id, merchantId, role, deps.now());
  await recordAction(deps, tx, { action: 'user.joined', subjectId: known.id, merchantId, after: { email, role } });
  return { userId: known.id, email, role, password: null };
}
