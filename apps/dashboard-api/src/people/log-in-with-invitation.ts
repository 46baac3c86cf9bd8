import { BusinessError } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import { addInvited } from './join-merchant';
import { lockOpenInvitation, type OpenInvitation } from './lock-open-invitation';
import { findMemberByEmail } from './membership-repository';
import { logIn, type LoggedIn, type LogInInput } from '../sign-in/log-in';
import type { SignInDeps } from '../sign-in/sign-in-deps';

export type LogInWithInvitationInput = Omit<LogInInput, 'email' | 'merchantId'> & { readonly token: string };

/**
 * For an account that may have no merchant left, so that it cannot log in and join. The token is checked first: without
 * a valid one no password is verified.
 */
export async function logInWithInvitation(
  deps: SignInDeps,
  { token, ...input }: LogInWithInvitationInput,
): Promise<LoggedIn> {
  const { email } = await deps.db
    .transaction((tx) => lockJoinable(deps, tx, token))
    .catch(async (error: unknown) => {
      // The log-in counts all others.
      await deps.limits.countAddress(input.address);
      throw error;
    });
  return logIn(deps, { ...input, email }, async (tx) => {
    const invitation = await lockJoinable(deps, tx, token);
    return { merchantId: invitation.merchantId, join: (userId) => addInvited(deps, tx, userId, invitation) };
  });
}

/** Members are refused before the password is verified: a later refusal would not use up the code. */
async function lockJoinable(deps: SignInDeps, tx: Transaction, token: string): Promise<OpenInvitation> {
  const invitation = await lockOpenInvitation(deps, tx, token);
  if (await findMemberByEmail(tx, invitation.email, invitation.merchantId)) throw new BusinessError('ALREADY_MEMBER');
  return invitation;
}
