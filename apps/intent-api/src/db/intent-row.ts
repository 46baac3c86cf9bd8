import {
  formatAmount,
  intentStatusSchema,
  paymentMethodSchema,
  type Environment,
  type IntentSnapshot,
  type PaymentMethod,
} from '@pay/contracts';
import type { StoredIntent } from '../domain/stored-intent';

/** The columns that make up an intent, in the order in which every statement names them. */
export const INTENT_COLUMNS = [
  'id',
  'merchant_id',
  'environment',
  'sequence',
  'decision_sequence',
  'status',
  'amount',
  'currency',
  'customer_reference',
  'merchant_reference',
  'payment_method',
  'receiver_account_id',
  'receiver_msisdn',
  'shown_receivers',
  'method_fixed',
  'expected_trx_id',
  'expected_sender_msisdn',
  'customer_id',
  'language',
  'success_url',
  'failed_url',
  'cancel_url',
  'expired_url',
  'metadata',
  'created_at',
  'expires_at',
  'paid_at',
].join(', ');

export interface IntentRow {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly sequence: number;
  readonly decision_sequence: number;
  readonly status: string;
  readonly amount: string;
  readonly currency: 'BDT';
  readonly customer_reference: string;
  readonly merchant_reference: string | null;
  readonly payment_method: string | null;
  readonly receiver_account_id: string | null;
  readonly receiver_msisdn: string | null;
  readonly shown_receivers: IntentSnapshot['shownReceivers'];
  readonly method_fixed: boolean;
  readonly expected_trx_id: string | null;
  readonly expected_sender_msisdn: string | null;
  readonly customer_id: string | null;
  readonly language: 'en' | 'bn' | null;
  readonly success_url: string | null;
  readonly failed_url: string | null;
  readonly cancel_url: string | null;
  readonly expired_url: string | null;
  readonly metadata: Record<string, string> | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly paid_at: Date | null;
}

export function storedIntent(row: IntentRow): StoredIntent {
  return {
    merchantId: row.merchant_id,
    environment: row.environment,
    sequence: row.sequence,
    decisionSequence: row.decision_sequence,
    intent: {
      id: row.id,
      amount: formatAmount(BigInt(row.amount)),
      currency: row.currency,
      status: intentStatusSchema.parse(row.status),
      customerReference: row.customer_reference,
      merchantReference: row.merchant_reference,
      paymentMethod: paymentMethod(row.payment_method),
      receiverMsisdn: row.receiver_msisdn,
      receiverAccountId: row.receiver_account_id,
      shownReceivers: row.shown_receivers,
      methodFixed: row.method_fixed,
      expectedTrxId: row.expected_trx_id,
      expectedSenderMsisdn: row.expected_sender_msisdn,
      customerId: row.customer_id,
      language: row.language,
      successUrl: row.success_url,
      failedUrl: row.failed_url,
      cancelUrl: row.cancel_url,
      expiredUrl: row.expired_url,
      metadata: row.metadata,
      createdAt: row.created_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
      paidAt: row.paid_at?.toISOString() ?? null,
    },
  };
}

function paymentMethod(text: string | null): PaymentMethod | null {
  return text === null ? null : paymentMethodSchema.parse(text);
}
