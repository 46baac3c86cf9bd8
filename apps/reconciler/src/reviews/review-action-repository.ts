import type { ReviewActionName } from '@pay/contracts';
import { enqueued, firstRow, rows, statement, type Transaction } from '@pay/persistence';

/** A review action. */
export interface ReviewActionRow {
  readonly id: string;
  /** Id of a match or a dispute. */
  readonly exceptionId: string;
  readonly action: ReviewActionName;
  readonly actorId: string;
  readonly note: string;
  readonly doneAt: Date;
}

export interface NewReviewAction {
  readonly id: string;
  readonly exceptionId: string;
  readonly isDispute: boolean;
  readonly action: ReviewActionName;
  readonly actor: { readonly userId: string; readonly role: string };
  readonly note: string;
  readonly paymentIntentId: string | undefined;
  readonly assigneeId: string | null;
  readonly acknowledged: object;
  readonly doneAt: Date;
}

export const insertReviewAction = enqueued(
  'insert-review-action',
  `insert into review_actions (id, match_id, dispute_id, action, actor_id, actor_role, note, payment_intent_id, assignee_id, acknowledged, done_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
  ({ actor, ...given }: NewReviewAction) => [
    ...[given.id, given.isDispute ? null : given.exceptionId, given.isDispute ? given.exceptionId : null],
    ...[given.action, actor.userId, actor.role, given.note, given.paymentIntentId ?? null, given.assigneeId],
    ...[JSON.stringify(given.acknowledged), given.doneAt],
  ],
);

const COLUMNS = `id, coalesce(match_id, dispute_id) as "exceptionId", action, actor_id as "actorId", note, done_at as "doneAt"`;

export const findReviewAction = firstRow<ReviewActionRow, [id: string]>(
  'find-review-action',
  `select ${COLUMNS} from review_actions where id = $1`,
);

export const findReviewActions = rows<ReviewActionRow, [exceptionId: string]>(
  'find-review-actions',
  `select * from (
     select ${COLUMNS} from review_actions where match_id = $1
     union all
     select ${COLUMNS} from review_actions where dispute_id = $1) of_exception
   order by "doneAt", id limit 100`,
);

const ASSIGN = statement(
  'assign-match',
  `update matches set assignee_id = $2
   where id = $1 and status not in ('MATCHED', 'DUPLICATE', 'MANUALLY_RESOLVED', 'REJECTED') returning id`,
);

/** False if it is no longer open. */
export async function assignMatch(tx: Transaction, matchId: string, assigneeId: string | null): Promise<boolean> {
  return (await tx.query(ASSIGN, [matchId, assigneeId])).length > 0;
}
