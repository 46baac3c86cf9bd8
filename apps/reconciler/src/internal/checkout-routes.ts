import { decideClaimRequestSchema } from '@pay/contracts';
import { tenantOf, type InternalRoutes } from '@pay/http';
import { z } from 'zod';
import { expireIntent, type ExpireIntentsDeps } from '../expiry/expire-intents';
import { decideClaim, type DecideClaimDeps } from '../intake/decide-claims';

const idParams = z.object({ id: z.uuid() });
/** The caller's sequence of the intent: an older copy is first refreshed from intent-api. */
const expireRequest = z.object({
  intentSequence: z.int().positive().default(1),
  intentEpoch: z.int().nonnegative().nullish(),
});

/** Routes for checkout-api: decide a claim, expire an intent. */
export function mountInternal(checkout: InternalRoutes, deps: DecideClaimDeps & ExpireIntentsDeps): void {
  checkout.post('/internal/v1/claims', { body: decideClaimRequestSchema }, ({ body }) => decideClaim(deps, body));
  checkout.post(
    '/internal/v1/intents/:id/expire',
    { params: idParams, body: expireRequest },
    async ({ params, body, req }) => {
      const known = { epoch: body.intentEpoch, sequence: body.intentSequence };
      return { intentStatus: await expireIntent(deps, tenantOf(req), params.id, known) };
    },
  );
}
