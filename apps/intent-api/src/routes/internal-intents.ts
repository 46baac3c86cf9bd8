import type { InternalIntent } from '@pay/contracts';
import { route, serviceAuth } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import type { Express } from 'express';
import { z } from 'zod';
import { getIntent } from '../get-intent';

export interface InternalIntentDeps {
  readonly db: Queryable;
  readonly peerSecrets: { readonly 'checkout-api': string; readonly reconciler: string };
}

const idParams = z.object({ id: z.uuid() });

/** `/internal/v1/intents`: for services whose copy of an intent is missing or older than the asker's. */
export function mountInternalIntents(app: Express, { db, peerSecrets }: InternalIntentDeps): void {
  app.get(
    '/internal/v1/intents/:id',
    serviceAuth({ audience: 'intent-api', secrets: peerSecrets, allow: ['checkout-api', 'reconciler'] }),
    route({ params: idParams }, async ({ params }) => {
      const { merchantId, environment, sequence, intent } = await getIntent({ db }, params.id);
      const body: InternalIntent = { merchantId, environment, sequence, intent };
      return { status: 200, body };
    }),
  );
}
