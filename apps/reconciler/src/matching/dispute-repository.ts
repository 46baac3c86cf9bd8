import { command, enqueued, enqueuedRows, statement, type Transaction } from '@pay/persistence';
import type { Dispute } from '../domain/matching-session';

/**
 * Limit of open disputes per TrxID, because an attacker may have any number of intents. It is high, so that claims of
 * further intents of the one who was paid do not hide the later claim of the payer.
 */
export const MOST_OPEN_OF_TRX_ID = 200;
/** Limit of disputes per intent: an intent has one payment. */
export const MOST_OF_INTENT = 3;

/** Stores each dispute once per intent and TrxID, up to the limits. */
export const insertDisputes = enqueuedRows(
  'insert-disputes',
  // Concurrent writers of one TrxID, and of one intent, hold their locks, so the counts cannot change concurrently.
  `insert into disputes (id, merchant_id, environment, payment_intent_id, trx_id, sms_event_id, submitted_at, paid_intent_id,
     paid_submitted_at, received_amount, receiver_account_id, created_at)
   select g.id, g.merchant_id, g.environment, g.payment_intent_id, g.trx_id, g.sms_event_id, g.submitted_at, g.paid_intent_id,
     (select c.submitted_at from claims c
      where c.payment_intent_id = g.paid_intent_id and c.merchant_id = g.merchant_id and c.environment = g.environment
        and c.trx_id = g.trx_id
      order by c.submitted_at limit 1),
     paid.amount, paid.receiver_account_id, g.created_at
   from (
     select given.*, row_number() over (partition by merchant_id, environment, trx_id order by submitted_at, id) as of_trx_id,
       row_number() over (partition by payment_intent_id order by submitted_at, id) as of_intent
     from jsonb_to_recordset($1::jsonb) as given (
       id uuid, merchant_id uuid, environment text, payment_intent_id uuid, trx_id text, sms_event_id uuid,
       submitted_at timestamptz, paid_intent_id uuid, created_at timestamptz)
     where not exists (
       select from disputes d
       where d.payment_intent_id = given.payment_intent_id and d.merchant_id = given.merchant_id
         and d.environment = given.environment and d.trx_id = given.trx_id
       offset 0)) as g
   cross join lateral (
     select e.amount, e.receiver_account_id from evidence e where e.sms_event_id = g.sms_event_id offset 0) as paid
   where g.of_trx_id + (
       select count(*) from disputes d
       where d.merchant_id = g.merchant_id and d.environment = g.environment and d.trx_id = g.trx_id and d.closed_at is null
     ) <= ${MOST_OPEN_OF_TRX_ID}
     and g.of_intent + (select count(*) from disputes d where d.payment_intent_id = g.payment_intent_id) <= ${MOST_OF_INTENT}
   on conflict on constraint disputes_one_per_intent_and_trx_id do nothing`,
  (disputes: readonly Dispute[], now: Date) => {
    const rows = disputes.map((dispute) => ({
      id: dispute.id,
      merchant_id: dispute.tenant.merchantId,
      environment: dispute.tenant.environment,
      payment_intent_id: dispute.intentId,
      trx_id: dispute.trxId,
      sms_event_id: dispute.smsEventId,
      submitted_at: dispute.submittedAt,
      paid_intent_id: dispute.paidIntentId,
      created_at: now,
    }));
    return [JSON.stringify(rows)];
  },
);

const LOCK = statement('lock-dispute', 'select closed_at from disputes where id = $1 for update');

/** Locks the dispute until the end of the transaction. Returns whether it is closed. */
export async function lockDispute(tx: Transaction, id: string): Promise<{ readonly isClosed: boolean }> {
  const [row] = await tx.query<{ closed_at: Date | null }>(LOCK, [id]);
  if (row === undefined) throw new Error(`dispute ${id} does not exist`);
  return { isClosed: row.closed_at !== null };
}

export interface DisputeDecision {
  readonly reason: 'disputed_trx_id' | 'refunded' | 'not_ours' | 'rejected_by_person';
  readonly closedAt: Date | null;
  readonly by: string;
  readonly note: string;
}

export const changeDispute = enqueued(
  'change-dispute',
  `update disputes set reason = $2, closed_at = $3, decided_by = $4, resolution_note = $5 where id = $1`,
  (id: string, { reason, closedAt, by, note }: DisputeDecision) => [id, reason, closedAt, by, note],
);

export const assignDispute = command<[id: string, assigneeId: string | null]>(
  'assign-dispute',
  'update disputes set assignee_id = $2 where id = $1',
);
