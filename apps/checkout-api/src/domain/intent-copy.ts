import { compareSequences, type ClaimOutcome, type InternalIntent } from '@pay/contracts';

/** The committed state at `sequence`, from an event or a response. */
export type IntentCopy = InternalIntent;

export interface Checkout {
  readonly copy: IntentCopy;
  /** Distinct outcomes of the claims. Claims without a decision count as `waiting`. */
  readonly claimOutcomes: readonly ClaimOutcome[];
}

/** Only the reconciler may decide EXPIRED, so an overdue intent stays PENDING until then. */
export function isOverdue({ intent }: IntentCopy, now: Date): boolean {
  return intent.status === 'PENDING' && Date.parse(intent.expiresAt) <= now.getTime();
}

export function newestOfEach(copies: readonly IntentCopy[]): IntentCopy[] {
  const newest = new Map<string, IntentCopy>();
  for (const copy of copies) {
    const other = newest.get(copy.intent.id);
    if (other === undefined || compareSequences(copy, other) > 0) newest.set(copy.intent.id, copy);
  }
  return [...newest.values()];
}
