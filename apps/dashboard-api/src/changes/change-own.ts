import type { Session } from '@pay/http';
import type { Transaction } from '@pay/persistence';
import type { OwnedKind } from '../db/tables';
import { lockOwn } from './lock-record';
import { onBehalfOf, type ManageDeps } from './on-behalf-of';
import type { ChangeDeps } from './store-change';

/** Runs a change of a record of the user's merchant, as `onBehalfOf`. Records of other merchants are NOT_FOUND. */
export function changeOwn<T>(
  deps: ManageDeps,
  session: Session,
  kind: OwnedKind,
  id: string,
  work: (deps: ChangeDeps, tx: Transaction) => Promise<T>,
): Promise<T> {
  return onBehalfOf(deps, session, async (changeDeps, tx) => {
    await lockOwn(tx, kind, id, session.merchantId);
    return work(changeDeps, tx);
  });
}
