import { createIntentRequestSchema, intentStatusSchema, pageQuerySchema } from '@pay/contracts';
import type { Directory } from '@pay/directory';
import { apiKeyAuth, callerOf, route } from '@pay/http';
import type { Express } from 'express';
import { z } from 'zod';
import { createIntent, type CreateIntentDeps } from '../create-intent';
import { intentResponse } from '../domain/intent-response';
import { getOwnIntent } from '../get-intent';
import { listIntents } from '../list-intents';

export interface PaymentIntentDeps extends CreateIntentDeps {
  readonly directory: CreateIntentDeps['directory'] & Pick<Directory, 'findApiKey'>;
  /** Public address of the hosted checkout, without a trailing slash. */
  readonly checkoutUrl: string;
}

const idParams = z.object({ id: z.uuid() });
const listQuery = pageQuerySchema.extend({
  status: z
    .enum(intentStatusSchema.options, { error: `status must be one of ${intentStatusSchema.options.join(', ')}` })
    .optional(),
});

/** `/v1/payments/intents`: what a merchant's server does with its API key. */
export function mountPaymentIntents(app: Express, deps: PaymentIntentDeps): void {
  const mayWrite = apiKeyAuth((key) => deps.directory.findApiKey(key), 'payments:write');
  const mayRead = apiKeyAuth((key) => deps.directory.findApiKey(key), 'payments:read');

  app.post(
    '/v1/payments/intents',
    mayWrite,
    route({ body: createIntentRequestSchema }, async ({ body, res }) => {
      const { stored, replayed } = await createIntent(deps, callerOf(res), body);
      const answer = { status: 201, body: intentResponse(deps.checkoutUrl, stored) };
      return replayed ? { ...answer, headers: { 'Idempotent-Replayed': 'true' } } : answer;
    }),
  );
  app.get(
    '/v1/payments/intents',
    mayRead,
    route({ query: listQuery }, async ({ query, res }) => {
      const page = await listIntents(deps, callerOf(res), query);
      return {
        status: 200,
        body: { ...page, data: page.data.map((stored) => intentResponse(deps.checkoutUrl, stored)) },
      };
    }),
  );
  app.get(
    '/v1/payments/intents/:id',
    mayRead,
    route({ params: idParams }, async ({ params, res }) => {
      const stored = await getOwnIntent(deps, callerOf(res), params.id);
      return { status: 200, body: intentResponse(deps.checkoutUrl, stored) };
    }),
  );
}
