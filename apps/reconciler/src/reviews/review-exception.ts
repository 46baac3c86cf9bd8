import {
  amountFromWire,
  ERRORS,
  type ErrorCode,
  type ReviewAction,
  type ReviewAnswer,
  BusinessError,
} from '@pay/contracts';
import { isUniqueViolation, retryOnConflict, type Database, type Transaction } from '@pay/persistence';
import { pollUntil } from '@pay/runtime';
import { findExceptionRow, findReasonBeforeClosing, type ExceptionRow } from './exception-repository';
import { findIntent } from '../matching/intent-repository';
import { assignMatch, findReviewAction, insertReviewAction } from './review-action-repository';
import type { IntentArrival } from '../domain/arrivals';
import type { Intent } from '../domain/facts';
import type { ReviewResult } from '../domain/matching-session';
import type { Acknowledged, Act, ReopenAct, ReviewArrival } from '../domain/decide-review';
import { findException } from './find-exception';
import { decideBatch, type DecideDeps } from '../matching/decide-batch';
import { NO_LEADS, rejectIntent } from './reject-intent';
import { decideDispute } from './review-dispute';
import { refreshIntent, type RefreshIntentDeps } from '../intake/refresh-intent';
import { toTenant } from '../db/tenant-row';

export interface ReviewExceptionDeps extends DecideDeps, RefreshIntentDeps {
  readonly db: Database;
}

/** The user of a request. */
export interface Actor {
  readonly userId: string;
  readonly role: string;
}

/**
 * Number of attempts if the locked names changed since they were read: a text is rarely re-parsed several times at
 * once.
 */
const MOST_TRIES = 5;
const APPLIED_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 50;

/**
 * Applies an action of a reviewer once per request id, and responds when intent-api has applied it or after two
 * seconds. A later reviewer gets the current state of the exception.
 */
export async function reviewException(
  deps: ReviewExceptionDeps,
  merchantId: string,
  id: string,
  actor: Actor,
  action: ReviewAction,
): Promise<ReviewAnswer> {
  const row = await findExceptionRow(deps.db, merchantId, id);
  if (row === undefined) throw new BusinessError('NOT_FOUND');
  const tenant = { merchantId, environment: row.environment };
  const chosen = chosenIntent(action);
  const fetched = chosen === undefined ? [] : await refreshIntent(deps, tenant, chosen, { sequence: 1 });

  let reviewResult: ReviewResult = { kind: 'stale' };
  for (let tries = 0; reviewResult.kind === 'stale' && tries < MOST_TRIES; tries += 1) {
    reviewResult = await decideOnce(deps, { merchantId, id, actor, action, fetched });
  }
  if (reviewResult.kind === 'stale') throw new BusinessError('SERVICE_UNAVAILABLE');
  if (reviewResult.kind === 'done') await Promise.all(reviewResult.moved.map((intent) => untilApplied(deps, intent)));
  const item = await findException(deps, merchantId, id);
  if (reviewResult.kind === 'done') return { refusal: null, item };
  return {
    refusal: { code: reviewResult.code, message: reviewResult.message ?? messageOf(reviewResult.code, item) },
    item,
  };
}

interface Decided {
  readonly merchantId: string;
  readonly id: string;
  readonly actor: Actor;
  readonly action: ReviewAction;
  readonly fetched: readonly IntentArrival[];
}

async function decideOnce(deps: ReviewExceptionDeps, given: Decided): Promise<ReviewResult> {
  const { db } = deps;
  try {
    return await retryOnConflict(db, (tx) => decide(deps, tx, given));
  } catch (error) {
    // The same request, or another one under its id, was committed first.
    if (!isUniqueViolation(error, 'review_actions_pkey')) throw error;
    return (await sentBefore(db, given)) ?? { kind: 'stale' };
  }
}

async function decide(deps: ReviewExceptionDeps, tx: Transaction, given: Decided): Promise<ReviewResult> {
  const { merchantId, id, actor, action, fetched } = given;
  const [row, before] = await Promise.all([findExceptionRow(tx, merchantId, id), sentBefore(tx, given)]);
  if (before !== undefined) return before;
  if (row === undefined) return { kind: 'refused', code: 'NOT_FOUND' };
  let reviewResult: ReviewResult | undefined;
  if (action.action === 'reject') {
    const arrival = await arrivalOf(tx, row, fetched, actor, action);
    reviewResult = await rejectIntent(deps, tx, { row, fetched, arrival, action });
  } else if (row.dispute !== null) {
    reviewResult = await decideDispute(tx, id, action, { by: `user:${actor.userId}`, now: deps.now() });
  } else if (action.action === 'assign') {
    const isAssigned = await assignMatch(tx, id, action.assigneeId);
    reviewResult = isAssigned ? { kind: 'done', moved: [] } : { kind: 'refused', code: 'EXCEPTION_DECIDED' };
  } else {
    const arrival = await arrivalOf(tx, row, fetched, actor, action);
    const { reviewResults } = await decideBatch(deps, tx, [...fetched, arrival]);
    reviewResult = reviewResults.at(0);
    if (action.action === 'reopen' && reviewResult?.kind === 'done') {
      const { tenant, smsEventId } = arrival;
      const { workingSet } = await decideBatch(deps, tx, [{ kind: 'reopened', tenant, smsEventId }]);
      const about = workingSet.matches.get(smsEventId)?.intentId;
      const moved = workingSet.intents.changed().map(({ after }) => after);
      reviewResult = { kind: 'done', moved: moved.filter((intent) => intent.id === about) };
    }
  }
  if (reviewResult === undefined) throw new Error('invariant: a review action has a result');
  // The transaction that held the lock may have been the same request, sent twice.
  if (reviewResult.kind === 'refused') return (await sentBefore(tx, given)) ?? reviewResult;
  if (reviewResult.kind === 'done') {
    insertReviewAction(tx, {
      id: action.requestId,
      exceptionId: id,
      isDispute: row.dispute !== null,
      action: action.action,
      actor,
      note: action.reason,
      paymentIntentId: reviewResult.moved.at(0)?.id,
      assigneeId: action.action === 'assign' ? action.assigneeId : null,
      acknowledged: whatWasAccepted(action),
      doneAt: deps.now(),
    });
  }
  return reviewResult;
}

/** The result of an earlier request with the same id. */
async function sentBefore(
  db: Parameters<typeof findReviewAction>[0],
  { id, actor, action }: Decided,
): Promise<ReviewResult | undefined> {
  const known = await findReviewAction(db, action.requestId);
  if (known === undefined) return undefined;
  const isSame = known.exceptionId === id && known.action === action.action && known.actorId === actor.userId;
  if (isSame) return { kind: 'done', moved: [] };
  return { kind: 'refused', code: 'IDEMPOTENCY_KEY_REUSED', message: 'requestId was already used for another action.' };
}

type DecidingAction = Exclude<ReviewAction, { action: 'assign' }>;

async function arrivalOf(
  tx: Transaction,
  row: ExceptionRow,
  fetched: readonly IntentArrival[],
  { userId }: Actor,
  action: DecidingAction,
): Promise<ReviewArrival> {
  const intentId = chosenIntent(action) ?? row.paymentIntentId ?? undefined;
  const known = intentId === undefined ? undefined : await findIntent(tx, intentId);
  const before = action.action === 'reopen' ? await findReasonBeforeClosing(tx, row.id) : undefined;
  const intent = known ?? fetched.find(({ intent: { id } }) => id === intentId)?.intent;
  return {
    kind: 'review',
    tenant: toTenant(row),
    smsEventId: row.smsEventId,
    trxId: row.provider === null ? undefined : row.trxId,
    referenceKey: row.reference ?? undefined,
    intent: intent && { id: intent.id, referenceKey: intent.referenceKey },
    act: actOf(action, intentId, before),
    by: `user:${userId}`,
    note: action.reason,
  };
}

function actOf(action: DecidingAction, intentId: string | undefined, before: ReopenAct['before']): Act {
  switch (action.action) {
    case 'resolve':
    case 'link':
      return { name: action.action, intentId, acknowledged: acknowledgedBy(action) };
    case 'reject':
      return { name: 'reject', intentId, isNamed: action.paymentIntentId !== undefined, ...NO_LEADS };
    case 'refunded':
    case 'not-ours':
      return { name: action.action };
    case 'reopen':
      return { name: 'reopen', before };
  }
}

type PayingAction = Extract<ReviewAction, { action: 'resolve' | 'link' }>;

function acknowledgedBy(action: PayingAction): Acknowledged {
  const { acknowledgeAmountDifference, expectedAmount, receivedAmount } = action;
  const isWhole = acknowledgeAmountDifference && expectedAmount !== undefined && receivedAmount !== undefined;
  return {
    amounts: isWhole
      ? { expected: amountFromWire(expectedAmount), received: amountFromWire(receivedAmount) }
      : undefined,
    method: action.acknowledgeMethodMismatch === true,
    receiver: action.acknowledgeReceiverMismatch === true,
    reference: action.acknowledgeReferenceMismatch === true,
    doubts: action.acknowledgeDoubts ?? [],
  };
}

function whatWasAccepted(action: ReviewAction): object {
  const { requestId: _id, reason: _reason, action: _action, ...accepted } = action;
  return accepted;
}

function chosenIntent(action: ReviewAction): string | undefined {
  return action.action === 'link' || action.action === 'reject' ? action.paymentIntentId : undefined;
}

function messageOf(code: ErrorCode, item: ReviewAnswer['item']): string {
  const { message } = ERRORS[code];
  if (code !== 'EXCEPTION_DECIDED') return message;
  const { resolvedBy, resolvedAt, reason } = item;
  return `${message} By ${resolvedBy === null ? 'the system' : `user ${resolvedBy}`}${resolvedAt === null ? '' : ` at ${resolvedAt}`}: ${reason}.`;
}

/**
 * Waits until intent-api shows the decision, so that a read after the response returns it. Gives up after two seconds.
 */
async function untilApplied({ fetchIntent }: RefreshIntentDeps, { id, status }: Intent): Promise<void> {
  await pollUntil(
    () => fetchIntent(id).catch(() => ({ intent: undefined })),
    ({ intent }) => intent === undefined || intent.status === status,
    { everyMs: LOOK_EVERY_MS, withinMs: APPLIED_WITHIN_MS },
  );
}
