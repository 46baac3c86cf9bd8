import type { Session } from '@pay/http';
import type { OwnedKind } from '../db/tables';
import { lockOwn } from './lock-record';
import { onBehalfOf, type ManageDeps, type UseCase } from './on-behalf-of';

/** Runs a change of a record of the user's merchant, as `onBehalfOf`. Records of other merchants are NOT_FOUND. */
export function changeOwn<Input extends readonly unknown[], T>(
  deps: ManageDeps,
  session: Session,
  kind: OwnedKind,
  id: string,
  useCase: UseCase<Input, T>,
  ...input: Input
): Promise<T> {
  return onBehalfOf(deps, session, async (changeDeps, tx) => {
    await lockOwn(tx, kind, id, session.merchantId);
    return useCase(changeDeps, tx, ...input);
  });
}
