import { BusinessError, type Account, type RefusalDetail } from '@pay/contracts';
import { isUniqueViolation, type Transaction } from '@pay/persistence';
import { hashPassword } from '../sign-in/passwords';
import { recordAction } from '../changes/record-action';
import { acceptStoredInvitation } from './invitation-repository';
import { passwordProblem } from '../domain/password-rules';
import { begun } from '../domain/records';
import { lockOpenInvitation } from './lock-open-invitation';
import type { SignInDeps } from '../sign-in/sign-in-deps';
import { storeChange } from '../changes/store-change';

export interface AcceptInvitationInput {
  readonly token: string;
  readonly password: string;
  /** Default: the name in the invitation. */
  readonly name?: string | null | undefined;
  /** Client address for rate limits. */
  readonly address: string;
}

/**
 * Creates an account for the invited address. Only the holder of the mailbox knows the token, which works once; an
 * existing account uses `logInWithInvitation` or `joinMerchant`.
 */
export async function acceptInvitation(deps: SignInDeps, input: AcceptInvitationInput): Promise<Account> {
  await deps.limits.countAddress(input.address);
  const { email } = await deps.db.transaction((tx) => lockOpenInvitation(deps, tx, input.token));
  const problem = passwordProblem(input.password, email);
  if (problem !== undefined)
    throw new BusinessError('PASSWORD_NOT_ALLOWED', `password ${problem}` satisfies RefusalDetail);
  // Hashing takes long, so it runs before the transaction, which would hold a connection and two locks.
  const passwordHash = await hashPassword(input.password, input.address);
  try {
    return await deps.db.transaction((tx) => accept(deps, tx, input, passwordHash));
  } catch (error) {
    if (isUniqueViolation(error, 'users_one_per_email')) throw new BusinessError('EMAIL_TAKEN');
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
  const { email, role, merchantId, merchantName } = invitation;
  const [at, id] = [deps.now(), deps.newId()];
  const actor = `user:${id}`;
  const fields = { id, merchantId, email, name: name ?? invitation.name, role, passwordHash, isActive: true };
  await storeChange({ ...deps, actor }, tx, { kind: 'user', action: 'user.created', after: begun(fields, at) });
  await acceptStoredInvitation(tx, invitation.id, at);
  await recordAction({ ...deps, actor }, tx, {
    action: 'invitation.accepted',
    subjectId: invitation.id,
    merchantId,
    before: { acceptedAt: null },
    after: { acceptedAt: at, userId: id },
  });
  return {
    id,
    email,
    name: fields.name,
    role,
    merchant: { id: merchantId, name: merchantName },
    twoFactorEnabled: false,
  };
}
