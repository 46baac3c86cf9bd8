import type { PaymentAuditRange } from '@pay/contracts';
import type { PaymentSource } from '@pay/payment-audit';
import { firstIdAt, rows } from '@pay/persistence';

/**
 * The id of a decision is a UUID v7, created in the transaction that sets `decided_at`, so the primary key finds
 * decisions by time.
 */
const ID_SLACK_MS = 5 * 60_000;

/** Decisions that made an intent PAID, for the payment audit. */
export const AUDITED_PAYMENTS: PaymentSource = {
  sql: `select payment_intent_id, merchant_id, environment, decided_at, paid_amount as amount from decisions
    where id >= $3::uuid and id < $4::uuid and decided_at >= $1 and decided_at < $2 and paid_amount > 0`,
  bounds({ from, to }: PaymentAuditRange) {
    const idAt = (time: string, slackMs: number) => firstIdAt(new Date(new Date(time).getTime() + slackMs));
    return [idAt(from, -ID_SLACK_MS), idAt(to, ID_SLACK_MS)];
  },
};

export interface PayingDecision {
  readonly id: string;
  readonly paymentIntentId: string;
  readonly decidedAt: Date;
}

/** The decisions that made these intents PAID. */
export const findPayingDecisions = rows<PayingDecision, [intentIds: readonly string[]]>(
  'audit-paying-decisions',
  `select id, payment_intent_id as "paymentIntentId", decided_at as "decidedAt" from decisions
   where payment_intent_id = any($1::uuid[]) and paid_amount > 0`,
);
