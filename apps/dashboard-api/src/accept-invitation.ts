import type { Account } from '@pay/contracts';
import { ApiError, hashKey, ValidationError } from '@pay/http';
import { isUniqueViolation, type Transaction } from '@pay/persistence';
import { hashPassword } from './adapters/passwords';
import { insertAuditEntry } from './db/audit-log';
import { acceptStoredInvitation, lockInvitationByToken, type Invitation } from './db/invitations';
import { merchants } from './db/tables';
import { passwordProblem } from './domain/password-rules';
import { begun } from './domain/records';
import type { SignInDeps } from './sign-in-deps';
import { storeChange } from './store-change';

export interface AcceptInvitationInput {
  readonly token: string;
  readonly password: string;
  /** As the invitation has it when absent. */
  readonly name?: string | null | undefined;
  /** Who is counted as one client. */
  readonly address: string;
}

/** Makes the account that an invitation was for. Whoever holds the token chooses the password; the token works once. */
export async function acceptInvitation(deps: SignInDeps, input: AcceptInvitationInput): Promise<Account> {
  await deps.limits.countAddress(input.address);
  const { email } = await deps.db.transaction((tx) => lockOpenInvitation(deps, tx, input.token));
  const problem = passwordProblem(input.password, email);
  if (problem !== undefined) throw new ValidationError([`password ${problem}`]);
  // Hashed before the transaction: it would hold a connection and two locks meanwhile.
  const passwordHash = await hashPassword(input.password);
  try {
    return await deps.db.transaction((tx) => accept(deps, tx, input, passwordHash));
  } catch (error) {
    if (isUniqueViolation(error, 'users_one_per_email')) throw new ApiError('EMAIL_TAKEN');
    throw error;
  }
}

async function accept(
  deps: SignInDeps,
  tx: Transaction,
  { token, name }: AcceptInvitationInput,
  passwordHash: string,
): Promise<Account> {
  const invitation = await lockOpenInvitation(deps, tx, token);
  const { email, role, merchantId } = invitation;
  const merchant = await merchants.lock(tx, merchantId);
  if (!merchant?.isActive || merchant.deletedAt !== null) throw new ApiError('INVITATION_NOT_VALID');
  const [at, id] = [deps.now(), deps.newId()];
  const actor = `user:${id}`;
  const fields = { id, merchantId, email, name: name ?? invitation.name, role, passwordHash, isActive: true };
  await storeChange({ ...deps, actor }, tx, { kind: 'user', action: 'user.created', after: begun(fields, at) });
  await acceptStoredInvitation(tx, invitation.id, at);
  await insertAuditEntry(tx, {
    ...{ id: deps.newId(), at, actor, action: 'invitation.accepted' },
    ...{ subjectKind: 'invitation', subjectId: invitation.id, merchantId, environment: null },
    before: { acceptedAt: null },
    after: { acceptedAt: at, userId: id },
  });
  return {
    ...{ id, email, name: fields.name, role, merchant: { id: merchantId, name: merchant.name } },
    twoFactorEnabled: false,
  };
}

async function lockOpenInvitation({ now }: SignInDeps, tx: Transaction, token: string): Promise<Invitation> {
  const invitation = await lockInvitationByToken(tx, hashKey(token));
  const isOpen = invitation?.acceptedAt === null && invitation.revokedAt === null && invitation.expiresAt > now();
  if (!isOpen) throw new ApiError('INVITATION_NOT_VALID');
  return invitation;
}
