import {
  internalChooseMethodRequestSchema,
  internalPaymentListQuerySchema,
  paymentSummarySchema,
  type InternalIntent,
} from '@pay/contracts';
import type { RoutesFor } from '@pay/http';
import { readEpoch } from '@pay/messaging';
import { z } from 'zod';
import { chooseMethod, type ChooseMethodDeps } from './choose-method';
import { pageOfIntents } from './payment-page-repository';
import type { StoredIntent } from '../domain/stored-intent';
import { getIntent } from './get-intent';

const idParams = z.object({ id: z.uuid() });

/** For services whose copy of an intent is missing or old, and for the choice of a method by the customer. */
export function mountInternalIntents(routesFor: RoutesFor, deps: ChooseMethodDeps): void {
  const { db } = deps;
  routesFor('dashboard-api').get(
    '/internal/v1/intents',
    { query: internalPaymentListQuerySchema },
    async ({ query: { merchantId, ...query } }) => {
      const { intents, ...page } = await pageOfIntents(db, merchantId, query);
      const data = intents.map(({ intent }) => paymentSummarySchema.parse(intent));
      return { ...page, data, limit: query.limit };
    },
  );
  const readers = routesFor('checkout-api', 'reconciler', 'dashboard-api');
  readers.get('/internal/v1/intents/:id', { params: idParams }, async ({ params }) => {
    // Read before the intent: an epoch after a failover must not be combined with an intent from before it.
    const epoch = await readEpoch(db);
    return { ...answerOf(await getIntent({ db }, params.id)), epoch };
  });
  routesFor('checkout-api').post(
    '/internal/v1/intents/:id/method',
    { params: idParams, body: internalChooseMethodRequestSchema },
    async ({ params, body }) => answerOf(await chooseMethod(deps, params.id, body.paymentMethod)),
  );
}

function answerOf({ merchantId, environment, sequence, intent, paidTrxId = null }: StoredIntent): InternalIntent {
  return { merchantId, environment, sequence, intent, paidTrxId };
}
