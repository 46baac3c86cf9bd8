import type { Transaction } from '@pay/persistence';
import { recordAction } from '../changes/record-action';
import type { SignInDeps } from './sign-in-deps';

export interface PersonalAct {
  readonly person: { readonly id: string; readonly merchantId: string };
  /** In the past tense. Example: `user.logged_in`. */
  readonly action: string;
  /** Default: the person. `login` if the actor is not known. */
  readonly actor?: string;
  readonly after?: object;
}

/** Records actions of people on their own account. Entries never contain a password, a code or a token. */
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
