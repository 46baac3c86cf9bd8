import type { Transaction } from '@pay/persistence';
import { Refusal } from '../changes/refusal';
import type { ChangeDeps } from '../changes/store-change';
import { users } from '../db/tables';
import { accessRepairedMail } from '../domain/mail-texts';
import type { SessionEnd } from '../domain/session';
import type { MailQueue } from '../mails/mail-queue';
import { endOtherSessions } from './session-repository';

export interface RepairDeps extends ChangeDeps {
  /** Absent in a command without the keys of mails. */
  readonly mails?: MailQueue | undefined;
}

interface Repair {
  readonly email: string;
  readonly because: Extract<SessionEnd, 'password_changed' | 'access_withdrawn'>;
}

export interface Repaired {
  readonly userId: string;
  readonly email: string;
  readonly endedSessions: number;
  readonly isMailed: boolean;
}

/** Ends all sessions and informs the person, because another person may have requested the change. */
export async function repairAccess<Result extends object>(
  deps: RepairDeps,
  tx: Transaction,
  { email, because }: Repair,
  repair: (person: { readonly id: string; readonly merchantId: string }) => Promise<Result>,
): Promise<Repaired & Result> {
  const person = await users.findBy(tx, 'lockPresentByEmail', [email.toLowerCase()]);
  if (!person) throw new Refusal('email', `${email} has no account`);
  const result = await repair(person);
  const all = { userId: person.id, at: deps.now(), because };
  const endedSessions = await endOtherSessions(tx, all);
  await deps.mails?.add(tx, { to: person.email, ...accessRepairedMail(because) });
  return { userId: person.id, email: person.email, endedSessions, isMailed: deps.mails !== undefined, ...result };
}
