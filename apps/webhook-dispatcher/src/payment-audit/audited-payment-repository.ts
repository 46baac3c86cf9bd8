import type { MissingDeliveries, PaymentAuditRange } from '@pay/contracts';
import type { PaymentSource } from '@pay/payment-audit';
import { mapped } from '@pay/persistence';

/** The type is a literal, so that a generic plan can use the partial index `events_paid_by_occurrence`. */
export const AUDITED_PAYMENTS: PaymentSource = {
  sql: `select payment_intent_id, merchant_id, environment, occurred_at as decided_at, amount from events
    where occurred_at >= $1 and occurred_at < $2 and type = 'payment.paid'`,
};

interface MissingRow extends Omit<MissingDeliveries['payments'][number], 'decidedAt'> {
  readonly decidedAt: Date;
}

/** Compares deliveries with the number in the feed entry. */
export const findMissingDeliveries = mapped(toMissing).rows(
  'audit-missing-deliveries',
  // Deliveries are found by their intent, because a paid intent has only one event of this type.
  `select e.merchant_id as "merchantId", e.environment, e.payment_intent_id as "paymentIntentId",
     e.occurred_at as "decidedAt"
   from events e
   where e.occurred_at >= $1 and e.occurred_at < $2 and e.type = 'payment.paid' and e.planned_deliveries > (
       select count(*) from deliveries d where d.payment_intent_id = e.payment_intent_id and d.event_type = e.type)
   limit $3`,
  ({ from, to }: PaymentAuditRange, limit: number) => [from, to, limit],
);

function toMissing(row: MissingRow): MissingDeliveries['payments'][number] {
  return { ...row, decidedAt: row.decidedAt.toISOString() };
}
