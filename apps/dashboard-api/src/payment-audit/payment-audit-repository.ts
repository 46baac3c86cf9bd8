import type { PaymentAuditRange } from '@pay/contracts';
import { command, firstRow, rows, type Queryable } from '@pay/persistence';
import { SLICE_MS, type PaymentMismatch, type PaymentMismatchKind } from '../domain/payment-audit';

export interface AuditLease {
  /** The next older slice; null before the first round. */
  readonly nextSlice: Date | null;
}

/** Takes or extends the lease. Undefined if another replica has it. */
export const leaseAudit = firstRow<AuditLease, [owner: string, leaseMs: number]>(
  'payment-audit-lease',
  `update payment_audit set owner = $1, leased_until = now() + $2 * interval '1 millisecond'
   where owner = $1 or leased_until < now()
   returning next_slice as "nextSlice"`,
);

export const setNextSlice = command<[owner: string, nextSlice: Date]>(
  'payment-audit-next-slice',
  'update payment_audit set next_slice = $2 where owner = $1',
);

// A resolved finding that occurs again is counted from the beginning.
const note = rows<NotedRow, [mismatches: string, now: Date]>(
  'payment-audit-note',
  `insert into payment_audit_findings as known
     (payment_intent_id, kind, merchant_id, environment, decided_at, first_seen_at)
   select "paymentIntentId", kind, "merchantId", environment, "decidedAt", $2::timestamptz
   from jsonb_to_recordset($1::jsonb) as seen
     ("paymentIntentId" uuid, kind text, "merchantId" uuid, environment text, "decidedAt" timestamptz)
   on conflict (payment_intent_id, kind) do update set
     confirmed_at = case when known.resolved_at is null and known.first_seen_at < $2::timestamptz
       then coalesce(known.confirmed_at, $2::timestamptz) end,
     first_seen_at = case when known.resolved_at is null then known.first_seen_at else $2::timestamptz end,
     resolved_at = null
   returning payment_intent_id as "paymentIntentId", kind, merchant_id as "merchantId", environment,
     decided_at as "decidedAt", confirmed_at is not distinct from $2::timestamptz as "isNewlyConfirmed"`,
);

interface NotedRow extends Omit<PaymentMismatch, 'decidedAt'> {
  readonly decidedAt: Date;
  readonly isNewlyConfirmed: boolean;
}

/** Returns the findings that an earlier round had already found. `now` is the start of the round. */
export async function noteFindings(
  db: Queryable,
  mismatches: readonly PaymentMismatch[],
  now: Date,
): Promise<PaymentMismatch[]> {
  if (mismatches.length === 0) return [];
  const noted = await note(db, JSON.stringify(mismatches), now);
  return noted.flatMap(({ isNewlyConfirmed, decidedAt, ...row }) =>
    isNewlyConfirmed ? [{ ...row, decidedAt: decidedAt.toISOString() }] : [],
  );
}

const resolve = rows<
  ResolvedFinding & { readonly wasConfirmed: boolean },
  [from: string, to: string, now: Date, mismatches: string]
>(
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

/** Resolves open findings of the range that were not found again. Returns those that had been confirmed. */
export async function resolveFindings(
  db: Queryable,
  { from, to }: PaymentAuditRange,
  mismatches: readonly PaymentMismatch[],
  now: Date,
): Promise<ResolvedFinding[]> {
  const resolved = await resolve(db, from, to, now, JSON.stringify(mismatches));
  return resolved.flatMap(({ wasConfirmed, ...row }) => (wasConfirmed ? [row] : []));
}

/** Oldest first. */
export const openSlices = rows<{ readonly slice: Date }, [limit: number]>(
  'payment-audit-open-times',
  `select distinct date_bin(interval '${SLICE_MS} milliseconds', decided_at, timestamptz '2000-01-01 00:00:00+00') as slice
   from payment_audit_findings where resolved_at is null order by 1 limit $1`,
);

const countByKind = rows<{ readonly kind: PaymentMismatchKind; readonly findings: number }>(
  'payment-audit-count',
  `select kind, count(*)::integer as findings from payment_audit_findings
   where resolved_at is null and confirmed_at is not null group by kind`,
);

export async function countFindings(db: Queryable): Promise<ReadonlyMap<PaymentMismatchKind, number>> {
  return new Map((await countByKind(db)).map(({ kind, findings }) => [kind, findings]));
}

export const deleteResolvedBefore = command<[time: Date]>(
  'payment-audit-delete-old',
  'delete from payment_audit_findings where resolved_at < $1',
);
