import type { ReviewAction } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import { assignDispute, changeDispute, lockDispute, type DisputeDecision } from '../matching/dispute-repository';
import type { ReviewResult } from '../domain/matching-session';

const DONE: ReviewResult = { kind: 'done', moved: [] };

const CLOSED_AS = {
  refunded: 'refunded',
  'not-ours': 'not_ours',
} as const satisfies Partial<Record<ReviewAction['action'], DisputeDecision['reason']>>;

type DisputeAction = Exclude<ReviewAction, { action: 'reject' }>;

/**
 * Applies a review action to a disputed TrxID, except `reject`, which may also reject an intent. A dispute is closed as
 * refunded or unfounded: the TrxID has paid an intent and pays no other.
 */
export async function decideDispute(
  tx: Transaction,
  id: string,
  action: DisputeAction,
  { by, now }: { readonly by: string; readonly now: Date },
): Promise<ReviewResult> {
  const { isClosed } = await lockDispute(tx, id);
  const change = (reason: DisputeDecision['reason'], closedAt: Date | null): ReviewResult => {
    changeDispute(tx, id, { reason, closedAt, by, note: action.reason });
    return DONE;
  };
  switch (action.action) {
    case 'resolve':
    case 'link':
      return { kind: 'refused', code: 'duplicate_trx_id' };
    case 'reopen':
      return isClosed ? change('disputed_trx_id', null) : { kind: 'refused', code: 'EXCEPTION_NOT_CLOSED' };
    case 'assign':
      if (isClosed) return { kind: 'refused', code: 'EXCEPTION_DECIDED' };
      await assignDispute(tx, id, action.assigneeId);
      return DONE;
    case 'refunded':
    case 'not-ours':
      return isClosed ? { kind: 'refused', code: 'EXCEPTION_DECIDED' } : change(CLOSED_AS[action.action], now);
  }
}
