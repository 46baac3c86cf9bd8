import { inTransaction, statement, type Transaction } from '@pay/persistence';
import type { Confirmation, Move } from '../domain/decision-effect';
import { INTENT_COLUMNS, storedIntent } from '../db/intent-row';

export const lockIntents = inTransaction.mapped(storedIntent).rows<[ids: readonly string[]]>(
  'lock-intents',
  // Ordered by id, so that two batches with the same intents wait for each other instead of deadlocking.
  `select ${INTENT_COLUMNS} from payment_intents where id = any($1::uuid[]) order by id for update`,
);

// `any(array[…])` instead of `=` forces a look-up of each row by its key, whatever number of rows the planner expects
// of unnest. With the ids as one array beside the join, it compares every row with every given id.
const MOVE = statement(
  'move-intents',
  `update payment_intents as intent
   set status = move.to_status, sequence = move.sequence, decision_sequence = move.decision_sequence,
       decision_epoch = move.decision_epoch, decision_hash = move.decision_hash,
       payment_method = move.payment_method, receiver_account_id = move.receiver_account_id, receiver_msisdn = move.receiver_msisdn,
       chosen_payment_method = move.chosen_payment_method, chosen_receiver_msisdn = move.chosen_receiver_msisdn,
       paid_at = move.paid_at, expired_at = move.expired_at, failed_at = move.failed_at, rejected_at = move.rejected_at,
       review_required_at = move.review_required_at, failure_reason = move.failure_reason,
       paid_trx_id = move.paid_trx_id
   from unnest($1::uuid[], $2::text[], $3::text[], $4::int[], $5::int[], $6::text[], $7::uuid[], $8::text[], $9::timestamptz[],
       $10::timestamptz[], $11::timestamptz[], $12::timestamptz[], $13::timestamptz[], $14::text[], $15::int[], $16::int[], $17::int[],
       $18::text[], $19::text[], $20::text[])
     as move (id, from_status, to_status, sequence, decision_sequence, payment_method, receiver_account_id, receiver_msisdn, paid_at,
       expired_at, failed_at, rejected_at, review_required_at, failure_reason, decision_epoch, decision_hash, from_decision_sequence,
       chosen_payment_method, chosen_receiver_msisdn, paid_trx_id)
   where intent.id = any(array[move.id])
     and intent.status = move.from_status and intent.decision_sequence = move.from_decision_sequence`,
);

/** Throws if an intent does not have the expected status. */
export async function moveIntents(tx: Transaction, moves: readonly (Confirmation | Move)[]): Promise<void> {
  const column = <T>(value: (move: Confirmation | Move) => T) => moves.map(value);
  const moved = await tx.execute(MOVE, [
    column(({ next }) => next.intent.id),
    column(({ from }) => from),
    column(({ to }) => to),
    column(({ next }) => next.sequence),
    column(({ next }) => next.decisionSequence),
    column(({ next }) => next.intent.paymentMethod),
    column(({ next }) => next.intent.receiverAccountId),
    column(({ next }) => next.intent.receiverMsisdn),
    column(({ next }) => next.intent.paidAt),
    column(({ next }) => next.intent.expiredAt),
    column(({ next }) => next.intent.failedAt),
    column(({ next }) => next.intent.rejectedAt),
    column(({ next }) => next.intent.reviewRequiredAt),
    column(({ next }) => next.intent.failureReason),
    column(({ next }) => next.decisionEpoch),
    column(({ next }) => next.decisionHash),
    column(({ before }) => before.decisionSequence),
    column(({ next }) => next.intent.chosenPaymentMethod ?? null),
    column(({ next }) => next.intent.chosenReceiverMsisdn ?? null),
    column(({ next }) => next.paidTrxId ?? null),
  ]);
  if (moved !== moves.length) throw new Error(`expected to update ${moves.length} locked intents, updated ${moved}`);
}
