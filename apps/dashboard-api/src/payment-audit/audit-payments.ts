import type { PaymentAuditRange } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import type { TaskResult } from '@pay/runtime';
import {
  countFindings,
  deleteResolvedBefore,
  leaseAudit,
  noteFindings,
  openSlices,
  resolveFindings,
  setNextSlice,
} from './payment-audit-repository';
import { PAYMENT_MISMATCHES, SLICE_MS, sliceAt, type PaymentMismatch } from '../domain/payment-audit';
import { findMismatches, type AuditedServices } from './find-mismatches';
import type { PaymentAuditMetrics } from './payment-audit-metrics';
import type { ServiceDeps } from '../service-deps';

/** Younger payments may still be on their way between the services. */
export const SETTLING_MS = 20_000;
/** How far back the first round of a process begins. Longer than a lease and an interval. */
const RECENT_MS = 3 * 60_000;
/** Maximum period that a round catches up after an outage. Older slices are audited one per round. */
const CATCH_UP_MS = 15 * 60_000;
/** Payments are audited a second time after this period, to find rows that were deleted after the first audit. */
const AGAIN_MS = 90_000;
/** Period of the older slices. Every round also audits one of them. */
const AUDITED_MS = 24 * 60 * 60_000;
/** Longer than the longest interval and a round. Afterwards another replica takes over. */
const LEASE_MS = 90_000;
const KEEP_RESOLVED_MS = 90 * 24 * 60 * 60_000;
/** Maximum number of slices with open findings that are audited again in one round. */
const MOST_OPEN_SLICES = 40;
/** A round ends after this number of failed older slices, because each waits for a request deadline. */
const MOST_FAILED_SLICES = 3;

export interface AuditPaymentsDeps extends Pick<ServiceDeps, 'log' | 'now'> {
  readonly db: Queryable;
  readonly services: AuditedServices;
  readonly owner: string;
  readonly metrics: PaymentAuditMetrics;
}

/** Returns a function that runs one round. Only the replica with the lease does the work. */
export function paymentAudit(deps: AuditPaymentsDeps): () => Promise<TaskResult> {
  const { db, owner, metrics } = deps;
  let auditedUntil: Date | undefined;

  /** Recent payments first, so that a failing older slice does not delay their findings. */
  async function auditAll(nextSlice: Date | null, now: Date): Promise<void> {
    const audit = auditsOfRound(deps, now);
    const end = new Date(now.getTime() - SETTLING_MS);
    const from = later(auditedUntil ?? before(end, RECENT_MS), before(end, CATCH_UP_MS));
    const open = (await openSlices(db, MOST_OPEN_SLICES)).map(({ slice }) => sliceAt(slice, end));
    await audit([rangeOf(before(from, AGAIN_MS), before(end, AGAIN_MS)), rangeOf(from, end)]);
    auditedUntil = end;
    const older = olderSlice(nextSlice, end);
    // Stored before the audit, so that a failing slice does not block the others.
    await setNextSlice(db, owner, new Date(older.getTime() + SLICE_MS));
    try {
      await auditEach(audit, distinct([sliceAt(older, end), ...open]));
    } finally {
      await showFindings(deps);
    }
  }

  return async () => {
    const lease = await leaseAudit(db, owner, LEASE_MS);
    if (lease === undefined) {
      metrics.findings.reset();
      return 'left_to_another_replica';
    }
    const now = deps.now();
    await auditAll(lease.nextSlice, now);
    await deleteResolvedBefore(db, before(now, KEEP_RESOLVED_MS));
    return 'done';
  };
}

type Audit = (ranges: readonly PaymentAuditRange[]) => Promise<void>;

/** Audits all slices and then throws the first error. */
async function auditEach(audit: Audit, slices: readonly PaymentAuditRange[]): Promise<void> {
  const errors: unknown[] = [];
  for (const slice of slices) {
    if (errors.length === MOST_FAILED_SLICES) break;
    await audit([slice]).catch((error: unknown) => errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
}

/**
 * Ranges may overlap: a finding is stored once per round and confirmed by a later round. If one range fails, all ranges
 * of the call fail.
 */
function auditsOfRound({ db, services, log }: AuditPaymentsDeps, now: Date): Audit {
  const noted = new Set<string>();
  return async (given) => {
    const ranges = given.filter((range) => range.from < range.to);
    const found = new Map<string, PaymentMismatch>();
    for (const range of ranges) {
      for (const mismatch of await findMismatches(services, range)) {
        found.set(`${mismatch.kind} ${mismatch.paymentIntentId}`, mismatch);
      }
    }
    const fresh = [...found].flatMap(([key, mismatch]) => (noted.has(key) ? [] : [mismatch]));
    for (const { kind, paymentIntentId, merchantId, environment } of await noteFindings(db, fresh, now)) {
      log.error({ kind, paymentIntentId, merchantId, environment }, 'payment_audit.mismatch_found');
    }
    for (const key of found.keys()) noted.add(key);
    for (const range of ranges) {
      for (const finding of await resolveFindings(db, range, [...found.values()], now)) {
        log.info(finding, 'payment_audit.mismatch_resolved');
      }
    }
  };
}

async function showFindings({ db, metrics }: AuditPaymentsDeps): Promise<void> {
  const counts = await countFindings(db);
  for (const kind of PAYMENT_MISMATCHES) metrics.findings.set({ kind }, counts.get(kind) ?? 0);
}

/** Starts again at the beginning of the period after the last slice. */
function olderSlice(nextSlice: Date | null, end: Date): Date {
  const first = end.getTime() - AUDITED_MS;
  const next = nextSlice?.getTime() ?? first;
  return new Date(next < first || next > end.getTime() - SLICE_MS ? first : next);
}

function before(time: Date, ms: number): Date {
  return new Date(time.getTime() - ms);
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}

function rangeOf(from: Date, to: Date): PaymentAuditRange {
  return { from: from.toISOString(), to: to.toISOString() };
}

function distinct(ranges: readonly PaymentAuditRange[]): PaymentAuditRange[] {
  return [...new Map(ranges.map((range) => [range.from, range])).values()];
}
