import type { ClaimOutcome, Environment, IntentStatus, PaymentMethod, SmsSignal, Tenant } from '@pay/contracts';
import { firstRow, rows } from '@pay/persistence';
import type { ClaimSource } from '../domain/facts';

export interface FiledIntent {
  readonly id: string;
  readonly environment: Environment;
  readonly status: IntentStatus;
  readonly amount: string;
  readonly referenceKey: string;
  readonly expectedTrxId: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export const filedIntent = firstRow<FiledIntent, [merchantId: string, id: string]>(
  'intent-of-evidence-file',
  `select id, environment, status, amount, reference_key as "referenceKey", expected_trx_id as "expectedTrxId",
     created_at as "createdAt", expires_at as "expiresAt"
   from intents where id = $1 and merchant_id = $2`,
  (merchantId, id) => [id, merchantId],
);

export interface FiledSms {
  readonly smsEventId: string;
  readonly paymentMethod: PaymentMethod;
  readonly trxId: string;
  readonly amount: string;
  readonly referenceKey: string | null;
  readonly receiverMsisdn: string | null;
  readonly payerMsisdn: string | null;
  readonly providerTime: Date;
  readonly ingestedAt: Date;
  readonly signals: readonly SmsSignal[];
}

// Payments from before decisions were stored are found by the intent.
export const filedSms = rows<FiledSms, [tenant: Tenant, smsEventIds: readonly string[], intentId: string]>(
  'sms-of-evidence-file',
  `select e.sms_event_id as "smsEventId", e.method as "paymentMethod", e.trx_id as "trxId", e.amount,
     e.reference_key as "referenceKey", e.receiver_msisdn as "receiverMsisdn", e.payer_msisdn as "payerMsisdn",
     e.provider_time as "providerTime", e.ingested_at as "ingestedAt", e.signals
   from evidence e
   where e.merchant_id = $1 and e.environment = $2 and e.sms_event_id in (
     select unnest($3::uuid[]) union select pays_sms_event_id from matches where pays_intent_id = $4)
   order by e.ingested_at, e.sms_event_id`,
  ({ merchantId, environment }, smsEventIds, intentId) => [merchantId, environment, smsEventIds, intentId],
);

export interface FiledClaim {
  readonly id: string;
  readonly trxId: string;
  readonly source: ClaimSource;
  readonly submittedAt: Date;
  readonly isSettled: boolean;
  readonly outcome: ClaimOutcome;
  readonly reason: string;
  readonly smsEventId: string | null;
}

export const filedClaims = rows<FiledClaim, [tenant: Tenant, intentId: string, limit: number]>(
  'claims-of-evidence-file',
  `select id, trx_id as "trxId", source, submitted_at as "submittedAt", state = 'SETTLED' as "isSettled", outcome, reason,
     sms_event_id as "smsEventId"
   from claims where payment_intent_id = $3 and merchant_id = $1 and environment = $2 order by submitted_at, id limit $4`,
  ({ merchantId, environment }, intentId, limit) => [merchantId, environment, intentId, limit],
);
