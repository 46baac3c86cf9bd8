import type { Poisha, Tenant } from '@pay/contracts';
import { statement, type Queryable } from '@pay/persistence';
import type { KnownIntent, Part } from '../domain/suggest';

interface IntentRow extends Omit<KnownIntent, 'amount'> {
  readonly amount: string;
}

const COLUMNS = `id, reference_key as "referenceKey", amount, status, created_at as "createdAt", expires_at as "expiresAt"`;
const UNPAID = "status in ('PENDING', 'REVIEW_REQUIRED', 'EXPIRED', 'FAILED')";
const MOST = 5;

const BY_ID = statement(
  'find-candidates',
  `select ${COLUMNS} from intents where id = any($1::uuid[]) and merchant_id = $2 and environment = $3`,
);
const BY_REFERENCE = statement(
  'suggest-by-reference',
  `select found.* from unnest($3::text[]) as meant (reference_key)
   cross join lateral (
     select ${COLUMNS} from intents
     where merchant_id = $1 and environment = $2 and reference_key = meant.reference_key offset 0) found
   limit 50`,
);

// An intent is valid for at most one day.
const BY_AMOUNT = statement(
  'suggest-by-amount',
  `select ${COLUMNS} from (
     select id, reference_key, amount, status, created_at, expires_at, shown_receivers from intents
     where merchant_id = $1 and environment = $2 and amount = $3 and ${UNPAID}
       and created_at > $4::timestamptz - interval '1 day' and created_at < $4::timestamptz + interval '1 minute'
     order by created_at desc limit 500) recent
   where expires_at >= $4
     and (shown_receivers = '[]' or shown_receivers @> jsonb_build_array(jsonb_build_object('receiverAccountId', $5::text)))
   order by created_at desc limit ${MOST}`,
);

const PARTS = statement(
  'suggest-parts',
  `select sms_event_id, amount, payer_msisdn from evidence
   where merchant_id = $1 and environment = $2 and reference_key = $3 and state in ('WAITING', 'REVIEW', 'LAPSED')
   order by sms_event_id limit 20`,
);

const PAYER = statement('find-payer', 'select sms_event_id from matches where pays_intent_id = $1');

export async function findIntents(db: Queryable, tenant: Tenant, ids: readonly string[]): Promise<KnownIntent[]> {
  if (ids.length === 0) return [];
  return (await db.query<IntentRow>(BY_ID, [ids, tenant.merchantId, tenant.environment])).map(toIntent);
}

export async function findByReferences(
  db: Queryable,
  { merchantId, environment }: Tenant,
  referenceKeys: readonly string[],
): Promise<KnownIntent[]> {
  return (await db.query<IntentRow>(BY_REFERENCE, [merchantId, environment, referenceKeys])).map(toIntent);
}

/** Intents for exactly this amount and number that were open at the time of the payment. */
export async function findByAmount(
  db: Queryable,
  { merchantId, environment }: Tenant,
  money: { readonly amount: string; readonly providerTime: Date; readonly receiverAccountId: string },
): Promise<KnownIntent[]> {
  const { amount, providerTime, receiverAccountId } = money;
  const values = [merchantId, environment, amount, providerTime, receiverAccountId];
  return (await db.query<IntentRow>(BY_AMOUNT, values)).map(toIntent);
}

/** Unused texts with one reference. */
export async function findParts(db: Queryable, tenant: Tenant, referenceKey: string): Promise<Part[]> {
  const rows = await db.query<{ sms_event_id: string; amount: string; payer_msisdn: string | null }>(PARTS, [
    ...[tenant.merchantId, tenant.environment, referenceKey],
  ]);
  return rows.map((row) => ({
    smsEventId: row.sms_event_id,
    amount: BigInt(row.amount) as Poisha,
    payerMsisdn: row.payer_msisdn ?? undefined,
  }));
}

/** The SMS that has paid an intent. */
export async function findPayingSms(db: Queryable, intentId: string): Promise<string | undefined> {
  return (await db.query<{ sms_event_id: string }>(PAYER, [intentId]))[0]?.sms_event_id;
}

function toIntent(row: IntentRow): KnownIntent {
  return { ...row, amount: BigInt(row.amount) as Poisha };
}
