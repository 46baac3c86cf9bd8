import type { PaymentSource } from '@pay/payment-audit';

export const AUDITED_PAYMENTS: PaymentSource = {
  sql: `select id as payment_intent_id, merchant_id, environment, amount, paid_at as decided_at from payment_intents
    where paid_at >= $1 and paid_at < $2`,
};
