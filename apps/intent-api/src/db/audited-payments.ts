import type { AuditedPayments, PaymentAuditRange, PaymentDigests, Tenant } from '@pay/contracts';
import { statement, type Queryable } from '@pay/persistence';

// The hash must be the same in every service that is audited: the first 60 bits of md5 over the intent id and the amount in poisha.
const DIGESTS = statement(
  'audit-digests',
  `select merchant_id as "merchantId", environment, count(*)::integer as payments, sum(amount)::text as amount,
     sum(('x' || left(md5(payment_intent_id::text || ':' || amount::text), 15))::bit(60)::bigint)::text as digest
   from (select id as payment_intent_id, merchant_id, environment, amount, paid_at as decided_at from payment_intents
     where paid_at >= $1 and paid_at < $2) as paid
   group by merchant_id, environment`,
);

/** What is stored of the payments that were decided in a range of time, per tenant. */
export async function digestPayments(
  db: Queryable,
  { from, to }: PaymentAuditRange,
): Promise<PaymentDigests['digests']> {
  return db.query<PaymentDigests['digests'][number]>(DIGESTS, [from, to]);
}

const PAGE = statement(
  'audit-payments',
  `select payment_intent_id as "paymentIntentId", amount::text as amount, decided_at as "decidedAt"
   from (select id as payment_intent_id, merchant_id, environment, amount, paid_at as decided_at from payment_intents
     where paid_at >= $1 and paid_at < $2 and merchant_id = $3 and environment = $4) as paid
   where payment_intent_id > $5 order by payment_intent_id limit $6`,
);

interface PaymentRow {
  readonly paymentIntentId: string;
  readonly amount: string;
  readonly decidedAt: Date;
}

/** The payments of one tenant in a range of time, in the order of their intents. */
export async function listAuditedPayments(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { from, to, after, limit }: PaymentAuditRange & { readonly after: string; readonly limit: number },
): Promise<AuditedPayments['payments']> {
  const rows = await db.query<PaymentRow>(PAGE, [from, to, merchantId, environment, after, limit]);
  return rows.map((row) => ({ ...row, decidedAt: row.decidedAt.toISOString() }));
}
