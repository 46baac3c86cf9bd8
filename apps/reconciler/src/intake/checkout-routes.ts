import {
  decideClaimRequestSchema,
  type IntentStatus,
  type DecideClaimRequest,
  type DecideClaimResponse,
  type SequencePair,
  type Tenant,
} from '@pay/contracts';
import { tenantOf, type InternalRoutes } from '@pay/http';
import { z } from 'zod';

export interface InternalDeps {
  readonly decideClaim: (request: DecideClaimRequest) => Promise<DecideClaimResponse>;
  readonly expireIntent: (tenant: Tenant, intentId: string, known: SequencePair) => Promise<IntentStatus>;
}

const idParams = z.object({ id: z.uuid() });
/** The asker's sequence of the intent: an older copy is refreshed from intent-api first. */
const expireRequest = z.object({
  intentSequence: z.int().positive().default(1),
  intentEpoch: z.int().nonnegative().nullish(),
});

/** What checkout asks: decide this claim, settle this intent. */
export function mountInternal(checkout: InternalRoutes, { decideClaim, expireIntent }: InternalDeps): void {
  checkout.post('/internal/v1/claims', { body: decideClaimRequestSchema }, ({ body }) => decideClaim(body));
  checkout.post(
    '/internal/v1/intents/:id/expire',
    { params: idParams, body: expireRequest },
    async ({ params, body, req }) => {
      const known = { epoch: body.intentEpoch, sequence: body.intentSequence };
      return { intentStatus: await expireIntent(tenantOf(req), params.id, known) };
    },
  );
}
