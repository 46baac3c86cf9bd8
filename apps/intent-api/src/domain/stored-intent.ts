import type { Environment, IntentSnapshot } from '@pay/contracts';

/** An intent as the database holds it. `sequence` counts its changes, `decisionSequence` the reconciler's decisions applied to it. */
export interface StoredIntent {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly sequence: number;
  readonly decisionSequence: number;
  readonly intent: IntentSnapshot;
}
