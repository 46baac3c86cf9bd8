import type { PaymentAuditRange } from '@pay/contracts';
import { statement, type Queryable } from '@pay/persistence';
import { SLICE_MS, type PaymentMismatch, type PaymentMismatchKind } from '../domain/payment-audit';

const LEASE = statement(
  'payment-audit-lease',
  `update payment_audit set owner = $1, leased_until = now() + $2 * interval '1 millisecond'
   where owner = $1 or leased_until < now()
   returning next_slice as "nextSlice"`,
);

export interface AuditLease {
  /** The older slice whose turn it is; null before the first round. */
  readonly nextSlice: Date | null;
}

/** Takes or prolongs the right to audit. Undefined: another replica has it. */
export async function leaseAudit(db: Queryable, owner: string, leaseMs: number): Promise<AuditLease | undefined> {
  const [row] = await db.query<AuditLease>(LEASE, [owner, leaseMs]);
  return row;
}

const NEXT_SLICE = statement('payment-audit-next-slice', 'update payment_audit set next_slice = $2 where owner = $1');

export async function setNextSlice(db: Queryable, owner: string, nextSlice: Date): Promise<void> {
  await db.execute(NEXT_SLICE, [owner, nextSlice]);
}

// A finding that was resolved and comes back begins again.
const NOTE = statement(
  'payment-audit-note',
  `insert into payment_audit_findings as known
     (payment_intent_id, kind, merchant_id, environment, decided_at, first_seen_at)
   select "paymentIntentId", kind, "merchantId", environment, "decidedAt", $2::timestamptz
   from jsonb_to_recordset($1::jsonb) as seen
     ("paymentIntentId" uuid, kind text, "merchantId" uuid, environment text, "decidedAt" timestamptz)
   on conflict (payment_intent_id, kind) do update set
     confirmed_at = case when known.resolved_at is null then coalesce(known.confirmed_at, $2::timestamptz) end,
     first_seen_at = case when known.resolved_at is null then known.first_seen_at else $2::timestamptz end,
     resolved_at = null
   returning payment_intent_id as "paymentIntentId", kind, merchant_id as "merchantId", environment,
     decided_at as "decidedAt", confirmed_at is not distinct from $2::timestamptz as "isNewlyConfirmed"`,
);

interface NotedRow extends Omit<PaymentMismatch, 'decidedAt'> {
  readonly decidedAt: Date;
  readonly isNewlyConfirmed: boolean;
}

/** Stores what a round found and returns the findings that it confirmed. */
export async function noteFindings(
  db: Queryable,
  mismatches: readonly PaymentMismatch[],
  now: Date,
): Promise<PaymentMismatch[]> {
  if (mismatches.length === 0) return [];
  const rows = await db.query<NotedRow>(NOTE, [JSON.stringify(mismatches), now]);
  return rows.flatMap(({ isNewlyConfirmed, decidedAt, ...row }) =>
    isNewlyConfirmed ? [{ ...row, decidedAt: decidedAt.toISOString() }] : [],
  );
}

const RESOLVE = statement(
  'payment-audit-resolve',
  `update payment_audit_findings f set resolved_at = $3
   where f.resolved_at is null and f.decided_at >= $1 and f.decided_at < $2
     and not exists (
       select from jsonb_to_recordset($4::jsonb) as seen ("paymentIntentId" uuid, kind text)
       where seen."paymentIntentId" = f.payment_intent_id and seen.kind = f.kind)
   returning payment_intent_id as "paymentIntentId", kind, confirmed_at is not null as "wasConfirmed"`,
);

export interface ResolvedFinding {
  readonly paymentIntentId: string;
  readonly kind: PaymentMismatchKind;
}

/** Resolves the open findings of an audited range that were not found again. Returns those that had been confirmed. */
export async function resolveFindings(
  db: Queryable,
  { from, to }: PaymentAuditRange,
  mismatches: readonly PaymentMismatch[],
  now: Date,
): Promise<ResolvedFinding[]> {
  const rows = await db.query<ResolvedFinding & { readonly wasConfirmed: boolean }>(RESOLVE, [
    from,
    to,
    now,
    JSON.stringify(mismatches),
  ]);
  return rows.flatMap(({ wasConfirmed, ...row }) => (wasConfirmed ? [row] : []));
}

const OPEN_TIMES = statement(
  'payment-audit-open-times',
  `select distinct date_bin(interval '${SLICE_MS} milliseconds', decided_at, timestamptz '2000-01-01 00:00:00+00') as slice
   from payment_audit_findings where resolved_at is null order by 1 limit $1`,
);

/** Beginnings of the slices that have open findings, oldest first. */
export async function openSlices(db: Queryable, limit: number): Promise<Date[]> {
  return (await db.query<{ slice: Date }>(OPEN_TIMES, [limit])).map(({ slice }) => slice);
}

const COUNT = statement(
  'payment-audit-count',
  `select kind, count(*)::integer as findings from payment_audit_findings
   where resolved_at is null and confirmed_at is not null group by kind`,
);

export async function countFindings(db: Queryable): Promise<ReadonlyMap<PaymentMismatchKind, number>> {
  const rows = await db.query<{ kind: PaymentMismatchKind; findings: number }>(COUNT);
  return new Map(rows.map(({ kind, findings }) => [kind, findings]));
}

const DELETE_OLD = statement('payment-audit-delete-old', `delete from payment_audit_findings where resolved_at < $1`);

export async function deleteResolvedBefore(db: Queryable, time: Date): Promise<void> {
  await db.execute(DELETE_OLD, [time]);
}
