import type { Session } from '@pay/http';
import { auditPerson } from './audit-person';
import { forgetBrowsers } from './known-browser-repository';
import type { SignInDeps } from './sign-in-deps';

/** From now on all of them are counted like any other browser. How many there were. */
export function forgetKnownBrowsers(deps: SignInDeps, { userId, merchantId }: Session): Promise<number> {
  return deps.db.transaction(async (tx) => {
    const forgotten = await forgetBrowsers(tx, userId, null);
    const person = { id: userId, merchantId };
    if (forgotten > 0) await auditPerson(deps, tx, { person, action: 'user.browsers_forgotten', after: { forgotten } });
    return forgotten;
  });
}
