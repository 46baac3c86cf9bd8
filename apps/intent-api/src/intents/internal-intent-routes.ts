import {
  internalChooseMethodRequestSchema,
  internalPaymentListQuerySchema,
  paymentSummarySchema,
  type InternalIntent,
} from '@pay/contracts';
import { route, serviceAuth, type PeerSecret } from '@pay/http';
import { readEpoch } from '@pay/messaging';
import type { Express } from 'express';
import { z } from 'zod';
import { chooseMethod, type ChooseMethodDeps } from './choose-method';
import { pageOfIntents } from './payment-page-repository';
import type { StoredIntent } from '../domain/stored-intent';
import { getIntent } from './get-intent';

export interface InternalIntentDeps extends ChooseMethodDeps {
  readonly peerSecrets: {
    readonly 'checkout-api': PeerSecret;
    readonly reconciler: PeerSecret;
    readonly 'dashboard-api': PeerSecret;
  };
}

const idParams = z.object({ id: z.uuid() });

/**
 * `/internal/v1/intents`: for services whose copy of an intent is missing or older than the asker's, and for the
 * customer's choice.
 */
export function mountInternalIntents(app: Express, deps: InternalIntentDeps): void {
  const { db, peerSecrets: secrets } = deps;
  app.get(
    '/internal/v1/intents',
    serviceAuth({ audience: 'intent-api', secrets, allow: ['dashboard-api'] }),
    route({ query: internalPaymentListQuerySchema }, async ({ query: { merchantId, ...query } }) => {
      const { intents, ...page } = await pageOfIntents(db, merchantId, query);
      const data = intents.map(({ intent }) => paymentSummarySchema.parse(intent));
      return { status: 200, body: { ...page, data, limit: query.limit } };
    }),
  );
  app.get(
    '/internal/v1/intents/:id',
    serviceAuth({ audience: 'intent-api', secrets, allow: ['checkout-api', 'reconciler', 'dashboard-api'] }),
    route({ params: idParams }, async ({ params }) => {
      // First: an epoch that is read after a failover must not stand beside what was read before it.
      const epoch = await readEpoch(db);
      return { status: 200, body: { ...answerOf(await getIntent({ db }, params.id)), epoch } };
    }),
  );
  app.post(
    '/internal/v1/intents/:id/method',
    serviceAuth({ audience: 'intent-api', secrets, allow: ['checkout-api'] }),
    route({ params: idParams, body: internalChooseMethodRequestSchema }, async ({ params, body }) => ({
      status: 200,
      body: answerOf(await chooseMethod(deps, params.id, body.paymentMethod)),
    })),
  );
}

function answerOf({ merchantId, environment, sequence, intent }: StoredIntent): InternalIntent {
  return { merchantId, environment, sequence, intent };
}
