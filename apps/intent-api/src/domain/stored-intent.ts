import type { Environment, IntentSnapshot } from '@pay/contracts';

/** No decision has been applied. */
export const UNDECIDED = { decisionSequence: 0, decisionEpoch: null, decisionHash: null } as const;

/**
 * An intent in the database. `sequence` counts its changes, `decisionSequence` the applied decisions of the reconciler.
 */
export interface StoredIntent {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly sequence: number;
  readonly decisionSequence: number;
  /** Epoch of the reconciler's database in which that decision was made; null if the event had none. */
  readonly decisionEpoch: number | null;
  /** Hash of that decision; null before the first one, and if the previous version applied it. */
  readonly decisionHash: number | null;
  /** TrxID of the payment; absent before it, and if no SMS has paid or the previous version applied the decision. */
  readonly paidTrxId?: string | null;
  readonly intent: IntentSnapshot;
}
