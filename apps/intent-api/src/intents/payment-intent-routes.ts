import { createPaymentIntent, getPaymentIntent, listPaymentIntents } from '@pay/contracts';
import type { Directory } from '@pay/directory';
import { operationServer, type CredentialChecks } from '@pay/http';
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

  serve(createPaymentIntent, async ({ caller, body, res }) => {
    const { stored, replayed } = await createIntent(deps, caller, body);
    if (replayed) res.setHeader('Idempotent-Replayed', 'true');
    return intentResponse(deps.checkoutUrl, stored);
  });
  serve(listPaymentIntents, async ({ caller, query }) => {
    const page = await listIntents(deps, caller, query);
    return { ...page, data: page.data.map((stored) => intentResponse(deps.checkoutUrl, stored)) };
  });
  serve(getPaymentIntent, async ({ caller, params }) => {
    const stored = await getOwnIntent(deps, caller, params.id);
    return intentResponse(deps.checkoutUrl, stored);
  });
}
