import { BusinessError } from '@pay/contracts';
import { type Session } from '@pay/http';
import { auditPerson } from './audit-person';
import { openMemberships } from './open-membership-repository';
import { findSession, lockSession, switchSession } from './session-repository';
import { isOpen } from '../domain/session';
import { accessOf, type SignedIn } from './open-session';
import type { SignInDeps } from './sign-in-deps';

/** Access tokens of the previous merchant become invalid within a second. */
export function switchMerchant(
  deps: SignInDeps,
  { session, merchantId }: { readonly session: Session; readonly merchantId: string },
): Promise<SignedIn['body']> {
  const { sessionId, userId } = session;
  return deps.db.transaction(async (tx) => {
    const before = await lockSession(tx, sessionId);
    if (!before || !isOpen(before, deps.now())) throw new BusinessError('UNAUTHORIZED');
    const open = await openMemberships(tx, userId);
    if (!open.some((membership) => membership.merchantId === merchantId)) throw new BusinessError('NOT_FOUND');
    if (before.merchantId !== merchantId) {
      await switchSession(tx, sessionId, merchantId);
      const person = { id: userId, merchantId };
      await auditPerson(deps, tx, { person, action: 'user.merchant_switched', after: { sessionId } });
    }
    const after = await findSession(tx, sessionId);
    if (!after) throw new Error('invariant: a locked session exists');
    return accessOf(deps, after);
  });
}
