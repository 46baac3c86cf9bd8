import type { Undecided } from '@pay/contracts';
import { route, serviceAuth, type PeerSecret } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import type { Express } from 'express';
import { undecidedClaims } from '../db/claims';

export interface InternalClaimDeps {
  readonly db: Queryable;
  readonly peerSecrets: { readonly reconciler: PeerSecret };
}

/** `/internal/v1/undecided`: what expiry has to wait for. */
export function mountInternalClaims(app: Express, { db, peerSecrets }: InternalClaimDeps): void {
  app.get(
    '/internal/v1/undecided',
    serviceAuth({ audience: 'checkout-api', secrets: peerSecrets, allow: ['reconciler'] }),
    route({}, async () => {
      const claims = await undecidedClaims(db);
      const body: Undecided = {
        undecided: claims.map(({ merchantId, environment, oldest }) => ({
          merchantId,
          environment,
          oldest: oldest.toISOString(),
        })),
      };
      return { status: 200, body };
    }),
  );
}
