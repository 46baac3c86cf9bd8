import type { Transaction } from '@pay/persistence';
import { forgiveAttempts } from './login-limits';
import { auditPerson } from './audit-person';
import { listOpenSessions } from './session-repository';
import { users } from '../db/tables';
import { Refusal } from '../changes/refusal';
import type { ChangeDeps } from '../changes/store-change';

/** Deletes counted failures, so that a person who is locked out need not wait. False if there were none. */
export async function unlockUser(
  deps: ChangeDeps,
  tx: Transaction,
  { email }: { readonly email: string },
): Promise<{ userId: string; wasCounted: boolean }> {
  const person = await users.findBy(tx, 'presentByEmail', [email.toLowerCase()]);
  if (!person) throw new Refusal('email', `${email} has no account`);
  const sessions = await listOpenSessions(tx, person.id, deps.now());
  const sessionIds = sessions.map(({ id }) => id);
  const wasCounted = await forgiveAttempts(tx, { email, userId: person.id, sessionIds });
  if (wasCounted) await auditPerson(deps, tx, { person, action: 'user.unlocked', actor: deps.actor });
  return { userId: person.id, wasCounted };
}
