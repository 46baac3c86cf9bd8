import type { EventType, IntentStatus } from '@pay/contracts';

/**
 * PENDING ──► PAID, REVIEW_REQUIRED, EXPIRED, FAILED
 * REVIEW_REQUIRED ──► PAID, REJECTED        EXPIRED, FAILED ──► PAID (by a person)
 * PAID and REJECTED are final. Which of these moves a decision may take is the reconciler's business; a trigger on
 * payment_intents repeats this table, so a change here needs a migration.
 */
const MOVES = {
  PENDING: ['PAID', 'REVIEW_REQUIRED', 'EXPIRED', 'FAILED'],
  REVIEW_REQUIRED: ['PAID', 'REJECTED'],
  EXPIRED: ['PAID'],
  FAILED: ['PAID'],
  PAID: [],
  REJECTED: [],
} as const satisfies Record<IntentStatus, readonly IntentStatus[]>;

export function isLegalMove(from: IntentStatus, to: IntentStatus): boolean {
  const targets: readonly IntentStatus[] = MOVES[from];
  return targets.includes(to);
}

export type SettledStatus = Exclude<IntentStatus, 'PENDING'>;

export const ANNOUNCED_AS = {
  PAID: 'intent.paid',
  REVIEW_REQUIRED: 'intent.review_required',
  EXPIRED: 'intent.expired',
  REJECTED: 'intent.rejected',
  FAILED: 'intent.failed',
} as const satisfies Record<SettledStatus, EventType>;
