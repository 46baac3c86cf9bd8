import {
  formatAmount,
  intentStatusSchema,
  paymentMethodSchema,
  type Environment,
  type IntentSnapshot,
  type IntentStatus,
  type PaymentMethod,
} from '@pay/contracts';
import type { StoredIntent } from '../domain/stored-intent';

/** The columns that make up an intent, in the order in which every statement names them. */
const COLUMNS = [
  'id',
  'merchant_id',
  'environment',
  'sequence',
  'decision_sequence',
  'decision_epoch',
  'decision_hash',
  'status',
  'amount',
  'currency',
  'customer_reference',
  'merchant_reference',
  'payment_method',
  'receiver_account_id',
  'receiver_msisdn',
  'chosen_payment_method',
  'chosen_receiver_msisdn',
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
  'expired_at',
  'failed_at',
  'rejected_at',
  'review_required_at',
  'failure_reason',
] as const;
export const INTENT_COLUMNS = COLUMNS.join(', ');
/** The same columns of a table that a statement calls by another name. */
export const intentColumnsOf = (alias: string) => COLUMNS.map((column) => `${alias}.${column}`).join(', ');

export interface IntentRow {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly sequence: number;
  readonly decision_sequence: number;
  readonly decision_epoch: number | null;
  readonly decision_hash: number | null;
  readonly status: string;
  readonly amount: string;
  readonly currency: 'BDT';
  readonly customer_reference: string;
  readonly merchant_reference: string | null;
  readonly payment_method: string | null;
  readonly receiver_account_id: string | null;
  readonly receiver_msisdn: string | null;
  readonly chosen_payment_method: string | null;
  readonly chosen_receiver_msisdn: string | null;
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
  readonly expired_at: Date | null;
  readonly failed_at: Date | null;
  readonly rejected_at: Date | null;
  readonly review_required_at: Date | null;
  readonly failure_reason: string | null;
}

export function storedIntent(row: IntentRow): StoredIntent {
  return {
    merchantId: row.merchant_id,
    environment: row.environment,
    sequence: row.sequence,
    decisionSequence: row.decision_sequence,
    decisionEpoch: row.decision_epoch,
    decisionHash: row.decision_hash,
    intent: {
      id: row.id,
      amount: formatAmount(BigInt(row.amount)),
      currency: row.currency,
      status: status(row.status),
      customerReference: row.customer_reference,
      merchantReference: row.merchant_reference,
      paymentMethod: paymentMethod(row.payment_method),
      receiverMsisdn: row.receiver_msisdn,
      receiverAccountId: row.receiver_account_id,
      chosenPaymentMethod: paymentMethod(row.chosen_payment_method),
      chosenReceiverMsisdn: row.chosen_receiver_msisdn,
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
      paidAt: time(row.paid_at),
      expiredAt: time(row.expired_at),
      failedAt: time(row.failed_at),
      rejectedAt: time(row.rejected_at),
      reviewRequiredAt: time(row.review_required_at),
      failureReason: row.failure_reason,
    },
  };
}

const STATUSES: ReadonlySet<string> = new Set(intentStatusSchema.options);
const METHODS: ReadonlySet<string> = new Set(paymentMethodSchema.options);

// A look-up instead of a schema: a page has a hundred rows, and these run for each of them.
function status(text: string): IntentStatus {
  if (!STATUSES.has(text)) throw new TypeError('an intent has an unknown status');
  return text as IntentStatus;
}

function paymentMethod(text: string | null): PaymentMethod | null {
  if (text !== null && !METHODS.has(text)) throw new TypeError('an intent has an unknown payment method');
  return text as PaymentMethod | null;
}

function time(value: Date | null): string | null {
  return value === null ? null : value.toISOString();
}
