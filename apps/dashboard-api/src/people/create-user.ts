import type { Role } from '@pay/contracts';
import { isUniqueViolation, type Transaction } from '@pay/persistence';
import { hashPassword, newPassword, OPERATOR } from '../sign-in/passwords';
import { begun } from '../domain/records';
import { lockMerchant } from '../changes/lock-record';
import { Refusal } from '../changes/refusal';
import { storeChange, type ChangeDeps } from '../changes/store-change';

export interface CreateUserInput {
  readonly merchantId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Default: generated. */
  readonly password?: string | undefined;
}

/** The password is returned only once, and stored as an Argon2id hash. */
export async function createUser(
  deps: ChangeDeps,
  tx: Transaction,
  { merchantId, email, name, role, password = newPassword() }: CreateUserInput,
): Promise<{ userId: string; email: string; role: Role; password: string }> {
  await lockMerchant(tx, merchantId);
  const fields = { id: deps.newId(), merchantId, email: email.toLowerCase(), name, role, isActive: true };
  const after = begun({ ...fields, passwordHash: await hashPassword(password, OPERATOR) }, deps.now());
  try {
    await storeChange(deps, tx, { kind: 'user', action: 'user.created', after });
  } catch (error) {
    if (isUniqueViolation(error, 'users_one_per_email'))
      throw new Refusal('email', `${after.email} has an account already`);
    throw error;
  }
  return { userId: after.id, email: after.email, role, password };
}
