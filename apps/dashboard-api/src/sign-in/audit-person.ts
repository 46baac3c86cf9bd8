import type { Transaction } from '@pay/persistence';
import { recordAction } from '../changes/record-action';
import type { SignInDeps } from './sign-in-deps';

export interface PersonalAct {
  readonly person: { readonly id: string; readonly merchantId: string };
  /** In the past tense: `user.logged_in`. */
  readonly action: string;
  /** `login` if the actor is not known; the person unless given. */
  readonly actor?: string;
  readonly after?: object;
}

/** Records an action, or an attempt, of a person on their own account. Never a password, a code or a token. */
export async function auditPerson(
  { now, newId }: Pick<SignInDeps, 'now' | 'newId'>,
  tx: Transaction,
  { person, action, actor = `user:${person.id}`, after }: PersonalAct,
): Promise<void> {
  const { id: subjectId, merchantId } = person;
  await recordAction({ now, newId, actor }, tx, {
    action,
    subjectKind: 'user',
    subjectId,
    merchantId,
    ...(after && { after }),
  });
}
