import type { ReviewAction } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import type { IntentArrival } from '../domain/arrivals';
import type { RejectAct, ReviewArrival } from '../domain/decide-review';
import type { ReviewResult } from '../domain/matching-session';
import { decideBatch, openBatch, type DecideDeps } from '../matching/decide-batch';
import { changeDispute, lockDispute } from '../matching/dispute-repository';
import type { ExceptionRow } from './exception-repository';
import { findLeads } from './lead-repository';

export interface Rejection {
  readonly row: ExceptionRow;
  readonly fetched: readonly IntentArrival[];
  readonly arrival: ReviewArrival;
  readonly action: Extract<ReviewAction, { action: 'reject' }>;
}

/**
 * Rejects an intent in review through a match or a dispute. A rejected dispute is closed in any case; its intent is
 * rejected with it if it is in review and no other open exception leads to it.
 */
export async function rejectIntent(deps: DecideDeps, tx: Transaction, given: Rejection): Promise<ReviewResult> {
  const { row, fetched, arrival, action } = given;
  const intentId = action.paymentIntentId ?? row.paymentIntentId ?? undefined;
  const isNamed = action.paymentIntentId !== undefined;
  const opened = await openBatch(deps, tx, [...fetched, arrival]);
  const dispute = row.dispute === null ? undefined : await lockDispute(tx, row.id);
  if (dispute?.isClosed === true && !isNamed) return { kind: 'refused', code: 'EXCEPTION_DECIDED' };

  const isOfDispute = dispute !== undefined && intentId === row.paymentIntentId;
  const leads =
    intentId === undefined
      ? NO_LEADS
      : await findLeads(tx, intentId, { smsEventId: row.smsEventId, exceptionId: row.id });
  const act: RejectAct = {
    name: 'reject',
    intentId,
    isNamed: isNamed || dispute !== undefined,
    ...leads,
    wasLedTo: leads.wasLedTo || isOfDispute,
  };
  const { reviewResults } = await decideBatch(deps, tx, [...fetched, { ...arrival, act }], opened);
  const [reviewResult] = reviewResults;
  if (reviewResult === undefined) throw new Error('invariant: a review action has a result');
  if (!isOfDispute || dispute.isClosed || reviewResult.kind === 'stale') return reviewResult;
  changeDispute(tx, row.id, {
    reason: 'rejected_by_person',
    closedAt: deps.now(),
    by: arrival.by,
    note: arrival.note,
  });
  return reviewResult.kind === 'done' ? reviewResult : { kind: 'done', moved: [] };
}

/** Before the intent is locked. */
export const NO_LEADS = { wasLedTo: false, isLedToElsewhere: false };
