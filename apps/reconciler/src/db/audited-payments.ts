import type { AuditedPayments, PaymentAuditRange, PaymentDigests, Tenant } from '@pay/contracts';
import { statement, type Queryable } from '@pay/persistence';

/** Decisions get their id, a UUID v7, within the transaction that sets `decided_at`: the primary key finds them by time. */
const ID_SLACK_MS = 5 * 60_000;

function bounds(from: string, to: string): string[] {
  const idAt = (time: string, slackMs: number) => smallestIdAt(new Date(new Date(time).getTime() + slackMs));
  return [from, to, idAt(from, -ID_SLACK_MS), idAt(to, ID_SLACK_MS)];
}

/** The smallest UUID v7 of a millisecond (RFC 9562: the first 48 bits are Unix milliseconds). */
function smallestIdAt(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

// The hash must be the same in every service that is audited: the first 60 bits of md5 over the intent id and the amount in poisha.
const DIGESTS = statement(
  'audit-digests',
  `select merchant_id as "merchantId", environment, count(*)::integer as payments, sum(amount)::text as amount,
     sum(('x' || left(md5(payment_intent_id::text || ':' || amount::text), 15))::bit(60)::bigint)::text as digest
   from (select payment_intent_id, merchant_id, environment, decided_at,
       ((record::jsonb ->> 'expectedAmount')::numeric * 100)::bigint as amount from decisions
     where id >= $3::uuid and id < $4::uuid and decided_at >= $1 and decided_at < $2
       and record::jsonb #>> '{intent,status}' = 'PAID') as paid
   group by merchant_id, environment`,
);

/** What is stored of the payments that were decided in a range of time, per tenant. */
export async function digestPayments(
  db: Queryable,
  { from, to }: PaymentAuditRange,
): Promise<PaymentDigests['digests']> {
  return db.query<PaymentDigests['digests'][number]>(DIGESTS, bounds(from, to));
}

const PAGE = statement(
  'audit-payments',
  `select payment_intent_id as "paymentIntentId", amount::text as amount, decided_at as "decidedAt"
   from (select payment_intent_id, merchant_id, environment, decided_at,
       ((record::jsonb ->> 'expectedAmount')::numeric * 100)::bigint as amount from decisions
     where id >= $3::uuid and id < $4::uuid and decided_at >= $1 and decided_at < $2
       and record::jsonb #>> '{intent,status}' = 'PAID' and merchant_id = $5 and environment = $6) as paid
   where payment_intent_id > $7 order by payment_intent_id limit $8`,
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
  const rows = await db.query<PaymentRow>(PAGE, [...bounds(from, to), merchantId, environment, after, limit]);
  return rows.map((row) => ({ ...row, decidedAt: row.decidedAt.toISOString() }));
}

const PAYING = statement(
  'audit-paying-decisions',
  `select id, payment_intent_id as "paymentIntentId", decided_at as "decidedAt" from decisions
   where payment_intent_id = any($1::uuid[]) and record::jsonb #>> '{intent,status}' = 'PAID'`,
);

export interface PayingDecision {
  readonly id: string;
  readonly paymentIntentId: string;
  readonly decidedAt: Date;
}

/** The decisions that made these intents PAID. */
export async function findPayingDecisions(db: Queryable, intentIds: readonly string[]): Promise<PayingDecision[]> {
  return db.query<PayingDecision>(PAYING, [intentIds]);
}
