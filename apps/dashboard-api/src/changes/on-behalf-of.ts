import { BusinessError } from '@pay/contracts';
import { ValidationError, type Session } from '@pay/http';
import type { Database, Transaction } from '@pay/persistence';
import { Refusal } from './refusal';
import type { ChangeDeps } from './store-change';

export interface ManageDeps extends Pick<ChangeDeps, 'messaging' | 'now' | 'newId'> {
  readonly db: Database;
}

/** Inputs of use cases have names for the command line; the API uses other names. */
const FIELDS: Readonly<Record<string, string>> = {
  expires: 'expiresAt',
  sim: 'sims',
  assigneeId: 'assigneeId',
  adapter: 'adapter',
};

export type UseCase<Input extends readonly unknown[], T> = (
  deps: ChangeDeps,
  tx: Transaction,
  ...input: Input
) => Promise<T>;

/** Runs a use case in one transaction with the user as the actor. A Refusal becomes an error response. */
export async function onBehalfOf<Input extends readonly unknown[], T>(
  { db, messaging, now, newId }: ManageDeps,
  session: Session,
  useCase: UseCase<Input, T>,
  ...input: Input
): Promise<T> {
  try {
    return await db.transaction((tx) =>
      useCase({ messaging, now, newId, actor: `user:${session.userId}` }, tx, ...input),
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const field = FIELDS[error.field];
    const text = `${field ?? error.field}: ${error.message}`;
    // Without a field, the default message of the code is more specific.
    if (error.code !== undefined) throw new BusinessError(error.code, field === undefined ? undefined : text);
    throw new ValidationError([text]);
  }
}
