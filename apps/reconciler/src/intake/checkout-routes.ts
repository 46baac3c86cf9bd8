import {
  decideClaimRequestSchema,
  type IntentStatus,
  type DecideClaimRequest,
  type DecideClaimResponse,
  type SequencePair,
  type Tenant,
} from '@pay/contracts';
import { route, serviceAuth, tenantOf, type PeerSecret } from '@pay/http';
import type { Express } from 'express';
import { z } from 'zod';

export interface InternalDeps {
  readonly decideClaim: (request: DecideClaimRequest) => Promise<DecideClaimResponse>;
  readonly expireIntent: (tenant: Tenant, intentId: string, known: SequencePair) => Promise<IntentStatus>;
  readonly peerSecrets: { readonly 'checkout-api': PeerSecret };
}

const idParams = z.object({ id: z.uuid() });
/** The asker's sequence of the intent: an older copy is refreshed from intent-api first. */
const expireRequest = z.object({
  intentSequence: z.int().positive().default(1),
  intentEpoch: z.int().nonnegative().nullish(),
});

/** What checkout asks: decide this claim, settle this intent. */
export function mountInternal(app: Express, { decideClaim, expireIntent, peerSecrets }: InternalDeps): void {
  const fromCheckout = serviceAuth({ audience: 'reconciler', secrets: peerSecrets, allow: ['checkout-api'] });
  app.post(
    '/internal/v1/claims',
    fromCheckout,
    route({ body: decideClaimRequestSchema }, async ({ body }) => ({ status: 200, body: await decideClaim(body) })),
  );
  app.post(
    '/internal/v1/intents/:id/expire',
    fromCheckout,
    route({ params: idParams, body: expireRequest }, async ({ params, body, req }) => {
      const known = { epoch: body.intentEpoch, sequence: body.intentSequence };
      return { status: 200, body: { intentStatus: await expireIntent(tenantOf(req), params.id, known) } };
    }),
  );
}
