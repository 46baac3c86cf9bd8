import type { Environment, IntentSnapshot } from '@pay/contracts';

/** No decision has been applied. */
export const UNDECIDED = { decisionSequence: 0, decisionEpoch: null, decisionHash: null } as const;

/** `sequence` counts the changes of the intent, `decisionSequence` the applied decisions of the reconciler. */
export interface StoredIntent {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly sequence: number;
  readonly decisionSequence: number;
  /** Epoch of the reconciler's database at that decision; null if the event had none. */
  readonly decisionEpoch: number | null;
  /** Null before the first decision, and if a previous version applied it. */
  readonly decisionHash: number | null;
  /** Absent before the payment, without an SMS, and if a previous version applied the decision. */
  readonly paidTrxId?: string | null;
  readonly intent: IntentSnapshot;
}
