import type { AuditedPayments, MissingDeliveries, PaymentAuditRange, PaymentDigests, Tenant } from '@pay/contracts';
import { statement, type Queryable } from '@pay/persistence';

// Events are found by `created_at`; the slack covers clocks that differ.
// The hash must be the same in every service that is audited: the first 60 bits of md5 over the intent id and the amount in poisha.
const DIGESTS = statement(
  'audit-digests',
  `select merchant_id as "merchantId", environment, count(*)::integer as payments, sum(amount)::text as amount,
     sum(('x' || left(md5(payment_intent_id::text || ':' || amount::text), 15))::bit(60)::bigint)::text as digest
   from (select payment_intent_id, merchant_id, environment, occurred_at as decided_at,
       ((body::jsonb #>> '{data,amount}')::numeric * 100)::bigint as amount from events
     where created_at >= $1::timestamptz - interval '5 minutes' and occurred_at >= $1 and occurred_at < $2 and type = 'payment.paid') as paid
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
   from (select payment_intent_id, merchant_id, environment, occurred_at as decided_at,
       ((body::jsonb #>> '{data,amount}')::numeric * 100)::bigint as amount from events
     where created_at >= $1::timestamptz - interval '5 minutes' and occurred_at >= $1 and occurred_at < $2 and type = 'payment.paid' and merchant_id = $3 and environment = $4) as paid
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

// A delivery is found by its intent; a paid intent has one event of this type.
const MISSING_DELIVERIES = statement(
  'audit-missing-deliveries',
  `select e.merchant_id as "merchantId", e.environment, e.payment_intent_id as "paymentIntentId",
     e.occurred_at as "decidedAt"
   from events e
   where e.created_at >= $1::timestamptz - interval '5 minutes' and e.occurred_at >= $1 and e.occurred_at < $2 and e.type = 'payment.paid'
     and e.planned_deliveries > (
       select count(*) from deliveries d where d.payment_intent_id = e.payment_intent_id and d.event_type = e.type)
   limit $3`,
);

interface MissingRow extends Omit<MissingDeliveries['payments'][number], 'decidedAt'> {
  readonly decidedAt: Date;
}

/** Payments whose feed entry counts more planned deliveries than there are. */
export async function findMissingDeliveries(
  db: Queryable,
  { from, to }: PaymentAuditRange,
  limit: number,
): Promise<MissingDeliveries['payments']> {
  const rows = await db.query<MissingRow>(MISSING_DELIVERIES, [from, to, limit]);
  return rows.map((row) => ({ ...row, decidedAt: row.decidedAt.toISOString() }));
}
