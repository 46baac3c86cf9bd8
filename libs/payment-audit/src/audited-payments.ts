import type { AuditedPayments as Page, PaymentAuditRange, PaymentDigests, Tenant } from '@pay/contracts';
import { PAYMENT_AUDIT_PAGE } from '@pay/contracts';
import { FIRST_ID, statement, type Queryable } from '@pay/persistence';

/** Reads the payments that a service stores. */
export interface PaymentSource {
  /**
   * A query of `payment_intent_id`, `merchant_id`, `environment`, `amount` (bigint, poisha) and `decided_at` of the
   * payments decided from $1 (inclusive) to $2 (exclusive). The values of `bounds` are its further parameters, $3 and
   * on.
   */
  readonly sql: string;
  readonly bounds?: (range: PaymentAuditRange) => readonly string[];
}

export interface AuditedPayments {
  /** Sums of the payments of a range per tenant. */
  readonly digests: (range: PaymentAuditRange) => Promise<PaymentDigests['digests']>;
  /** The payments of these intents of one tenant, at any time. */
  readonly find: (tenant: Tenant, intentIds: readonly string[]) => Promise<Page['payments']>;
  /** One page of the payments of one tenant in a range, ordered by intent: the first, or the one after an intent. */
  readonly page: (tenant: Tenant, range: PaymentAuditRange, after?: string) => Promise<Page['payments']>;
}

const ALWAYS: PaymentAuditRange = { from: '1970-01-02T00:00:00Z', to: '9999-01-01T00:00:00Z' };

export function auditedPayments(db: Queryable, { sql, bounds = () => [] }: PaymentSource): AuditedPayments {
  const given = (range: PaymentAuditRange) => [range.from, range.to, ...bounds(range)];
  const { length } = given({ from: '1970-01-01T00:00:00Z', to: '1970-01-01T00:00:00Z' });
  // The first 60 bits of md5 over intent id and amount in poisha. Sums do not depend on the order of rows.
  const digests = statement(
    'audit-digests',
    `select merchant_id as "merchantId", environment, count(*)::integer as payments, sum(amount)::text as amount,
       sum(('x' || left(md5(payment_intent_id::text || ':' || amount::text), 15))::bit(60)::bigint)::text as digest
     from (${sql}) as payments group by merchant_id, environment`,
  );
  const page = statement(
    'audit-payments',
    `select payment_intent_id as "paymentIntentId", amount::text as amount, decided_at as "decidedAt" from (${sql}) as payments
     where merchant_id = $${length + 1} and environment = $${length + 2} and payment_intent_id > $${length + 3}
     order by payment_intent_id limit $${length + 4}`,
  );
  const find = statement(
    'audit-find-payments',
    `select payment_intent_id as "paymentIntentId", amount::text as amount, decided_at as "decidedAt" from (${sql}) as payments
     where merchant_id = $${length + 1} and environment = $${length + 2} and payment_intent_id = any($${length + 3}::uuid[])`,
  );
  return {
    async find({ merchantId, environment }, intentIds) {
      const rows = await db.query<PaymentRow>(find, [...given(ALWAYS), merchantId, environment, intentIds]);
      return rows.map(toPayment);
    },
    digests: (range) => db.query<PaymentDigests['digests'][number]>(digests, given(range)),
    async page({ merchantId, environment }, range, after = FIRST_ID) {
      const parameters = [...given(range), merchantId, environment, after, PAYMENT_AUDIT_PAGE];
      const rows = await db.query<PaymentRow>(page, parameters);
      return rows.map(toPayment);
    },
  };
}

function toPayment(row: PaymentRow): Page['payments'][number] {
  return { ...row, decidedAt: row.decidedAt.toISOString() };
}

interface PaymentRow {
  readonly paymentIntentId: string;
  readonly amount: string;
  readonly decidedAt: Date;
}
