import type { Environment } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import { insertAuditEntry } from './audit-log-repository';
import type { ChangeDeps } from './store-change';

export interface RecordedAction {
  /** In the past tense. Example: `invitation.created`. */
  readonly action: string;
  /** Default: the first word of the action. */
  readonly subjectKind?: string;
  readonly subjectId: string;
  readonly merchantId: string;
  readonly environment?: Environment;
  /** Must not contain a hash, a token or a code. */
  readonly before?: object;
  readonly after?: object;
}

/** For writes that create no new version of a record. Uses the transaction of the write. */
export async function recordAction(
  deps: Pick<ChangeDeps, 'actor' | 'now' | 'newId'>,
  tx: Transaction,
  { action, subjectKind, subjectId, merchantId, environment, before, after }: RecordedAction,
): Promise<void> {
  await insertAuditEntry(tx, {
    id: deps.newId(),
    at: deps.now(),
    actor: deps.actor,
    action,
    subjectKind: subjectKind ?? action.slice(0, action.indexOf('.')),
    subjectId,
    merchantId,
    environment: environment ?? null,
    before: before ?? null,
    after: after ?? null,
  });
}
