import { BusinessError } from '@pay/contracts';
import { type Session } from '@pay/http';
import { toString as drawQrCode } from 'qrcode';
import { newTotpSecret, totpUri } from './totp';
import { auditPerson } from './audit-person';
import { beginSecondFactor } from './second-factor-repository';
import type { SignInDeps } from './sign-in-deps';
import { verifyOwnPassword } from './verify-own-password';

/** The secret becomes active when a code was confirmed. It replaces an earlier unconfirmed secret. */
export async function enrolTwoFactor(
  deps: SignInDeps,
  { session, password }: { readonly session: Session; readonly password: string },
): Promise<{ secret: string; otpauthUri: string; qrSvg: string }> {
  const person = await verifyOwnPassword(deps, session, password);
  await deps.limits.forgiveConfirmations(session.sessionId);
  const secret = newTotpSecret();
  const sealed = deps.secretBox.seal(person.id, secret);
  await deps.db.transaction(async (tx) => {
    if ((await beginSecondFactor(tx, person.id, sealed, deps.now())) === 0) throw new BusinessError('TWO_FACTOR_ON');
    const self = { id: person.id, merchantId: session.merchantId };
    await auditPerson(deps, tx, { person: self, action: 'user.two_factor_begun' });
  });
  const otpauthUri = totpUri(secret, person.email);
  return { secret, otpauthUri, qrSvg: await drawQrCode(otpauthUri, { type: 'svg' }) };
}
