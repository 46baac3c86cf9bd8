import type { Poisha, Tenant } from '@pay/contracts';
import { mapped, statement, type Queryable } from '@pay/persistence';
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

export async function findIntents(db: Queryable, tenant: Tenant, ids: readonly string[]): Promise<KnownIntent[]> {
  if (ids.length === 0) return [];
  return (await db.query<IntentRow>(BY_ID, [ids, tenant.merchantId, tenant.environment])).map(toIntent);
}

export const findByReferences = mapped(toIntent).rows(
  'suggest-by-reference',
  `select found.* from unnest($3::text[]) as meant (reference_key)
   cross join lateral (
     select ${COLUMNS} from intents
     where merchant_id = $1 and environment = $2 and reference_key = meant.reference_key offset 0) found
   limit 50`,
  ({ merchantId, environment }: Tenant, referenceKeys: readonly string[]) => [merchantId, environment, referenceKeys],
);

/** Intents for exactly this amount and number that were open at the time of the payment. */
export const findByAmount = mapped(toIntent).rows(
  'suggest-by-amount',
  // An intent is valid for at most one day.
  `select ${COLUMNS} from (
     select id, reference_key, amount, status, created_at, expires_at, shown_receivers from intents
     where merchant_id = $1 and environment = $2 and amount = $3 and ${UNPAID}
       and created_at > $4::timestamptz - interval '1 day' and created_at < $4::timestamptz + interval '1 minute'
     order by created_at desc limit 500) recent
   where expires_at >= $4
     and (shown_receivers = '[]' or shown_receivers @> jsonb_build_array(jsonb_build_object('receiverAccountId', $5::text)))
   order by created_at desc limit ${MOST}`,
  (
    { merchantId, environment }: Tenant,
    money: { readonly amount: string; readonly providerTime: Date; readonly receiverAccountId: string },
  ) => [merchantId, environment, money.amount, money.providerTime, money.receiverAccountId],
);

/** Unused texts with one reference. */
export const findParts = mapped(toPart).rows(
  'suggest-parts',
  `select sms_event_id as "smsEventId", amount, payer_msisdn as "payerMsisdn" from evidence
   where merchant_id = $1 and environment = $2 and reference_key = $3 and state in ('WAITING', 'REVIEW', 'LAPSED')
   order by sms_event_id limit 20`,
  ({ merchantId, environment }: Tenant, referenceKey: string) => [merchantId, environment, referenceKey],
);

interface PartRow {
  readonly smsEventId: string;
  readonly amount: string;
  readonly payerMsisdn: string | null;
}

function toPart({ smsEventId, amount, payerMsisdn }: PartRow): Part {
  return { smsEventId, amount: BigInt(amount) as Poisha, payerMsisdn: payerMsisdn ?? undefined };
}

/** The SMS that has paid an intent. */
export const findPayingSms = mapped((row: { readonly sms_event_id: string }) => row.sms_event_id).firstRow<
  [intentId: string]
>('find-payer', 'select sms_event_id from matches where pays_intent_id = $1');

function toIntent(row: IntentRow): KnownIntent {
  return { ...row, amount: BigInt(row.amount) as Poisha };
}
