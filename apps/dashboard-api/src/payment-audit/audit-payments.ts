import type { PaymentAuditRange } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import type { Logger } from '@pay/runtime';
import {
  countFindings,
  deleteResolvedBefore,
  leaseAudit,
  noteFindings,
  openSlices,
  resolveFindings,
  setNextSlice,
} from './payment-audit-repository';
import { PAYMENT_MISMATCHES, SLICE_MS, sliceAt } from '../domain/payment-audit';
import { findMismatches, type AuditedServices } from './find-mismatches';
import type { PaymentAuditMetrics } from './payment-audit-metrics';

/** A payment this young may still be on its way between the services. */
export const SETTLING_MS = 20_000;
/** Every round audits this time. Two rounds see each payment in it, also when another replica takes over the lease. */
const RECENT_MS = 3 * 60_000;
/** Every round also audits one older slice of this time. */
const AUDITED_MS = 24 * 60 * 60_000;
/** Longer than the longest interval and a round. After this lease ends, another replica takes over. */
const LEASE_MS = 90_000;
const KEEP_RESOLVED_MS = 90 * 24 * 60 * 60_000;
/** Slices with open findings that are audited again in one round. */
const MOST_OPEN_SLICES = 40;

export interface AuditPaymentsDeps {
  readonly db: Queryable;
  readonly services: AuditedServices;
  /** Names this process in the lease. */
  readonly owner: string;
  readonly log: Logger;
  readonly metrics: PaymentAuditMetrics;
  readonly now: () => Date;
}

/** One round of the payment audit. Rounds of all replicas together keep the interval: one of them has the lease. */
export async function auditPayments(deps: AuditPaymentsDeps): Promise<void> {
  const { db, owner, metrics, now } = deps;
  const lease = await leaseAudit(db, owner, LEASE_MS);
  if (lease === undefined) {
    metrics.findings.reset();
    return;
  }
  const end = new Date(now().getTime() - SETTLING_MS);
  // Slices end where the recent time begins: a round that saw a payment twice would report it too early.
  const recentFrom = new Date(end.getTime() - RECENT_MS);
  const recent = { from: recentFrom.toISOString(), to: end.toISOString() };
  const older = olderSlice(lease.nextSlice, recentFrom);
  const open = (await openSlices(db, MOST_OPEN_SLICES)).map(({ slice }) => sliceAt(slice, recentFrom));
  for (const range of [...distinct([sliceAt(older, recentFrom), ...open]), recent]) await auditRange(deps, range);
  await setNextSlice(db, owner, new Date(older.getTime() + SLICE_MS));
  await deleteResolvedBefore(db, new Date(now().getTime() - KEEP_RESOLVED_MS));
  const counts = await countFindings(db);
  for (const kind of PAYMENT_MISMATCHES) metrics.findings.set({ kind }, counts.get(kind) ?? 0);
  metrics.lastRound.set(now().getTime() / 1_000);
}

async function auditRange({ db, services, log, now }: AuditPaymentsDeps, range: PaymentAuditRange): Promise<void> {
  if (range.from >= range.to) return;
  const mismatches = await findMismatches(services, range);
  for (const { kind, paymentIntentId, merchantId, environment } of await noteFindings(db, mismatches, now())) {
    log.error({ kind, paymentIntentId, merchantId, environment }, 'payment_audit.mismatch_found');
  }
  for (const finding of await resolveFindings(db, range, mismatches, now())) {
    log.info(finding, 'payment_audit.mismatch_resolved');
  }
}

/** The slice whose turn it is; from the beginning of the audited time again when it has come to the recent time. */
function olderSlice(nextSlice: Date | null, end: Date): Date {
  const first = end.getTime() - AUDITED_MS;
  const next = nextSlice?.getTime() ?? first;
  return new Date(next < first || next > end.getTime() - SLICE_MS ? first : next);
}

function distinct(ranges: readonly PaymentAuditRange[]): PaymentAuditRange[] {
  return [...new Map(ranges.map((range) => [range.from, range])).values()];
}
