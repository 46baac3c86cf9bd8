import { createPaymentIntent, getPaymentIntent, listPaymentIntents } from '@pay/contracts';
import type { Directory } from '@pay/directory';
import { callerOf, operationServer, type CredentialChecks } from '@pay/http';
import type { Express } from 'express';
import { createIntent, type CreateIntentDeps } from './create-intent';
import { intentResponse } from '../domain/intent-response';
import { getOwnIntent, type GetOwnIntentDeps } from './get-intent';
import { listIntents } from './list-intents';

export interface PaymentIntentDeps extends CreateIntentDeps, GetOwnIntentDeps {
  readonly directory: CreateIntentDeps['directory'] & Pick<Directory, 'findApiKey'>;
  readonly guard: NonNullable<CredentialChecks['guard']>;
  /** Without a trailing slash. */
  readonly checkoutUrl: string;
}

export function mountPaymentIntents(app: Express, deps: PaymentIntentDeps): void {
  const serve = operationServer(app, { findApiKey: (key) => deps.directory.findApiKey(key), guard: deps.guard });

  serve(createPaymentIntent, async ({ body, res }) => {
    const { stored, replayed } = await createIntent(deps, callerOf(res), body);
    const answer = { status: 201, body: intentResponse(deps.checkoutUrl, stored) } as const;
    return replayed ? { ...answer, headers: { 'Idempotent-Replayed': 'true' } } : answer;
  });
  serve(listPaymentIntents, async ({ query, res }) => {
    const page = await listIntents(deps, callerOf(res), query);
    return {
      status: 200,
      body: { ...page, data: page.data.map((stored) => intentResponse(deps.checkoutUrl, stored)) },
    };
  });
  serve(getPaymentIntent, async ({ params, res }) => {
    const stored = await getOwnIntent(deps, callerOf(res), params.id);
    return { status: 200, body: intentResponse(deps.checkoutUrl, stored) };
  });
}
