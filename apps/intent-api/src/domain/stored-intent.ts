import type { Environment, IntentSnapshot } from '@pay/contracts';

/** No decision has been applied. */
export const UNDECIDED = { decisionSequence: 0, decisionEpoch: null, decisionHash: null } as const;

/**
 * An intent as the database holds it. `sequence` counts its changes, `decisionSequence` the reconciler's decisions
 * applied to it.
 */
export interface StoredIntent {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly sequence: number;
  readonly decisionSequence: number;
  /** Epoch of the reconciler's database in which that decision was made; null when the event did not say. */
  readonly decisionEpoch: number | null;
  /** Hash of that decision; null before the first and where the version before applied it. */
  readonly decisionHash: number | null;
  readonly intent: IntentSnapshot;
}
