import { amountFromWire, referenceKey, type IntentSnapshot, type Tenant } from '@pay/contracts';
import { mapped, statement, type Transaction } from '@pay/persistence';
import type { StoredIntent } from '../domain/stored-intent';
import { INTENT_COLUMNS, storedIntent, type IntentRow } from '../db/intent-row';

export interface IntentToStore {
  readonly tenant: Tenant;
  readonly idempotencyKey: string;
  readonly parametersHash: string;
  readonly intent: IntentSnapshot;
}

// Sorted, so that two groups with the same keys wait for each other instead of deadlocking.
const INSERT = `insert into payment_intents (
     id, merchant_id, environment, idempotency_key, parameters_hash, amount, currency, customer_reference, reference_key,
     merchant_reference, payment_method, receiver_account_id, receiver_msisdn, shown_receivers, method_fixed, expected_trx_id,
     expected_sender_msisdn, customer_id, language, success_url, failed_url, cancel_url, expired_url, metadata, created_at, expires_at)
   select
     id, merchant_id, environment, idempotency_key, parameters_hash, amount, currency, customer_reference, reference_key,
     merchant_reference, payment_method, receiver_account_id, receiver_msisdn, shown_receivers, method_fixed, expected_trx_id,
     expected_sender_msisdn, customer_id, language, success_url, failed_url, cancel_url, expired_url, metadata, created_at, expires_at
   from json_to_recordset($1::json) as given (
     id uuid, merchant_id uuid, environment text, idempotency_key text, parameters_hash text, amount bigint, currency text,
     customer_reference text, reference_key text, merchant_reference text, payment_method text, receiver_account_id uuid,
     receiver_msisdn text, shown_receivers jsonb, method_fixed boolean, expected_trx_id text, expected_sender_msisdn text,
     customer_id text, language text, success_url text, failed_url text, cancel_url text, expired_url text, metadata jsonb,
     created_at timestamptz, expires_at timestamptz)
   order by merchant_id, environment, idempotency_key`;

const INSERT_ABSENT = statement('insert-absent-intents', `${INSERT} on conflict do nothing returning id`);

/** Returns the ids of inserted intents. Intents whose key or reference is taken are skipped. */
export async function insertAbsentIntents(tx: Transaction, intents: readonly IntentToStore[]): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(INSERT_ABSENT, [JSON.stringify(intents.map(insertable))]);
  return new Set(rows.map((row) => row.id));
}

/** Omitted columns become null. */
function insertable({ tenant, idempotencyKey, parametersHash, intent }: IntentToStore): Record<string, unknown> {
  return {
    id: intent.id,
    merchant_id: tenant.merchantId,
    environment: tenant.environment,
    idempotency_key: idempotencyKey,
    parameters_hash: parametersHash,
    amount: amountFromWire(intent.amount).toString(),
    currency: intent.currency,
    customer_reference: intent.customerReference,
    reference_key: referenceKey(intent.customerReference),
    merchant_reference: intent.merchantReference ?? undefined,
    payment_method: intent.paymentMethod ?? undefined,
    receiver_account_id: intent.receiverAccountId ?? undefined,
    receiver_msisdn: intent.receiverMsisdn ?? undefined,
    shown_receivers: intent.shownReceivers,
    method_fixed: intent.methodFixed,
    expected_trx_id: intent.expectedTrxId ?? undefined,
    expected_sender_msisdn: intent.expectedSenderMsisdn ?? undefined,
    customer_id: intent.customerId ?? undefined,
    language: intent.language,
    success_url: intent.successUrl ?? undefined,
    failed_url: intent.failedUrl ?? undefined,
    cancel_url: intent.cancelUrl ?? undefined,
    expired_url: intent.expiredUrl ?? undefined,
    metadata: intent.metadata ?? undefined,
    created_at: intent.createdAt,
    expires_at: intent.expiresAt,
  };
}

export interface KeyedIntent {
  readonly parametersHash: string;
  readonly stored: StoredIntent;
}

export const findByIdempotencyKey = mapped(toKeyedIntent).firstRow(
  'find-intent-by-idempotency-key',
  `select parameters_hash, ${INTENT_COLUMNS} from payment_intents
   where merchant_id = $1 and environment = $2 and idempotency_key = $3`,
  ({ merchantId, environment }: Tenant, idempotencyKey: string) => [merchantId, environment, idempotencyKey],
);

function toKeyedIntent(row: IntentRow & { readonly parameters_hash: string }): KeyedIntent {
  return { parametersHash: row.parameters_hash, stored: storedIntent(row) };
}
