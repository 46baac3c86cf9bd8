import { compareSequences, type ClaimOutcome, type InternalIntent } from '@pay/contracts';

/** An intent as intent-api had committed it at `sequence`, from an event or a response. */
export type IntentCopy = InternalIntent;

/** The stored state of an intent. */
export interface Checkout {
  readonly copy: IntentCopy;
  /** Of its claims, each once. `waiting` includes claims without a decision. */
  readonly claimOutcomes: readonly ClaimOutcome[];
}

/** Its time is over and it is not settled; only the reconciler may decide EXPIRED. */
export function isOverdue({ intent }: IntentCopy, now: Date): boolean {
  return intent.status === 'PENDING' && Date.parse(intent.expiresAt) <= now.getTime();
}

/** The newest of several copies of each intent. */
export function newestOfEach(copies: readonly IntentCopy[]): IntentCopy[] {
  const newest = new Map<string, IntentCopy>();
  for (const copy of copies) {
    const other = newest.get(copy.intent.id);
    if (other === undefined || compareSequences(copy, other) > 0) newest.set(copy.intent.id, copy);
  }
  return [...newest.values()];
}
