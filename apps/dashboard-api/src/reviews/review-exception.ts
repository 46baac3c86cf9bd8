import {
  exceptionDetailsSchema,
  reviewAnswerSchema,
  type ExceptionDetails,
  type ReviewAction,
  type ReviewActionName,
  type Role,
  BusinessError,
} from '@pay/contracts';
import { type Session } from '@pay/http';
import type { Transaction } from '@pay/persistence';
import { askReconciler, type Reconciler } from '../clients/reconciler-client';
import { findMember } from '../people/membership-repository';
import { mayDecide } from '../domain/people';
import { onBehalfOf, type ManageDeps } from '../changes/on-behalf-of';
import { recordAction } from '../changes/record-action';
import { Refusal } from '../changes/refusal';

export interface ReviewExceptionDeps extends ManageDeps {
  readonly reconciler: Reconciler;
}

export const DONE_REVIEW: Readonly<Record<ReviewActionName, string>> = {
  resolve: 'exception.resolved',
  link: 'exception.linked',
  reject: 'exception.rejected',
  refunded: 'exception.refunded',
  'not-ours': 'exception.disowned',
  reopen: 'exception.reopened',
  assign: 'exception.assigned',
};

type Asked = ReviewAction extends infer Each
  ? Each extends ReviewAction
    ? Omit<Each, 'requestId'> & { readonly requestId?: string | undefined }
    : never
  : never;

export async function findException(
  { reconciler }: Pick<ReviewExceptionDeps, 'reconciler'>,
  merchantId: string,
  id: string,
): Promise<ExceptionDetails> {
  const path = `/internal/v1/exceptions/${id}?merchantId=${merchantId}`;
  return askReconciler(reconciler, 'GET', path, { schema: exceptionDetailsSchema });
}

/**
 * The audit log contains the request before the reconciler receives it, and its result afterwards, so a lost response
 * loses no entry. The same request id returns the same result.
 */
export async function reviewException(
  deps: ReviewExceptionDeps,
  session: Session,
  id: string,
  asked: Asked,
): Promise<ExceptionDetails> {
  const { merchantId, userId } = session;
  const action = { ...asked, requestId: asked.requestId ?? deps.newId() };
  const before = await findException(deps, merchantId, id);
  const entry = { subjectId: id, merchantId, environment: before.environment };
  const facts = reviewFacts(before);
  const recordReview = (name: string, after: object) =>
    onBehalfOf(deps, session, recordAction, { ...entry, action: name, before: facts, after });

  const role = await onBehalfOf(deps, session, async (changeDeps, tx) => {
    const current = await reviewerNow(tx, userId, merchantId);
    if (action.action === 'assign' && action.assigneeId !== null)
      await assertMayDecide(tx, merchantId, action.assigneeId);
    await recordAction(changeDeps, tx, {
      ...entry,
      action: `exception.${action.action}_asked`,
      before: facts,
      after: action,
    });
    return current;
  });
  const { refusal, item } = await askReconciler(
    deps.reconciler,
    'POST',
    `/internal/v1/exceptions/${id}/actions?merchantId=${merchantId}`,
    { schema: reviewAnswerSchema, body: action, actor: `${userId}:${role}`, idempotent: true },
    `It is unknown whether the action was applied. Reload the exception, or repeat the request with requestId ${action.requestId}: it is applied once.`,
  );
  const { requestId } = action;
  if (refusal !== null) {
    await recordReview(`exception.${action.action}_refused`, { requestId, code: refusal.code });
    throw new BusinessError(refusal.code, refusal.message);
  }
  await recordReview(DONE_REVIEW[action.action], { requestId, reason: action.reason, ...reviewFacts(item) });
  return item;
}

/** For the audit log, without numbers and TrxIDs. */
export function reviewFacts(item: ExceptionDetails): object {
  const { status, matchStatus, paymentIntentId, intentStatus, expectedAmount, receivedAmount } = item;
  return {
    status,
    matchStatus,
    matchReason: item.reason,
    doubts: item.doubts,
    paidInTime: item.paidInTime,
    paymentIntentId,
    intentStatus,
    expectedAmount,
    receivedAmount,
    assigneeId: item.assigneeId,
    resolutionNote: item.resolutionNote,
  };
}

/**
 * The permissions of a session can be a second old. Decisions about money check the role of the actor in their own
 * transaction.
 */
async function reviewerNow(tx: Transaction, userId: string, merchantId: string): Promise<Role> {
  const member = await findMember(tx, userId, merchantId);
  if (!member?.isActive || !mayDecide(member.role))
    throw new Refusal('user', 'requires a role that may decide exceptions', 'FORBIDDEN');
  return member.role;
}

async function assertMayDecide(tx: Transaction, merchantId: string, userId: string): Promise<void> {
  const member = await findMember(tx, userId, merchantId);
  if (!member?.isActive || !mayDecide(member.role))
    throw new Refusal('assigneeId', 'must be a person of the merchant who may decide', 'NOT_FOUND');
}
