import type { Session } from '@pay/http';
import { auditPerson } from './audit-person';
import { forgetBrowsers } from './known-browser-repository';
import type { SignInDeps } from './sign-in-deps';

/** Returns the number of forgotten browsers. */
export function forgetKnownBrowsers(deps: SignInDeps, { userId, merchantId }: Session): Promise<number> {
  return deps.db.transaction(async (tx) => {
    const forgotten = await forgetBrowsers(tx, userId, null);
    const person = { id: userId, merchantId };
    if (forgotten > 0) await auditPerson(deps, tx, { person, action: 'user.browsers_forgotten', after: { forgotten } });
    return forgotten;
  });
}
