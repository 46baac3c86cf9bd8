import type { Environment } from '@pay/contracts';
import { command, firstRow } from '@pay/persistence';
import type { PlaceInChain } from './verify-decisions';

/** The pass over all decisions that replicas continue. A person with access to the database can change its place. */
export interface VerificationPass {
  /** Increases with each change, so that of two replicas that continue from the same place one stores its result. */
  readonly revision: string;
  readonly startedAt: Date;
  /** Start of the last completed pass. */
  readonly verifiedSince: Date;
  /** The tenant that is verified or was verified last; null at the beginning. */
  readonly merchantId: string | null;
  readonly environment: Environment | null;
  readonly place: PlaceInChain | null;
}

export const findPass = firstRow<VerificationPass>(
  'find-verification-pass',
  `select revision, started_at as "startedAt", verified_since as "verifiedSince", merchant_id as "merchantId", environment, place
   from verification_pass`,
);

export const storePass = command<[pass: VerificationPass]>(
  'store-verification-pass',
  `update verification_pass set revision = revision + 1, started_at = $2, verified_since = $3, merchant_id = $4,
     environment = $5, place = $6::jsonb
   where revision = $1`,
  ({ revision, startedAt, verifiedSince, merchantId, environment, place }) => [
    revision,
    startedAt,
    verifiedSince,
    merchantId,
    environment,
    place && JSON.stringify(place),
  ],
);
