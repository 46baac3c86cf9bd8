import {
  foundPaymentSchema,
  internalPaymentSearchQuerySchema,
  isUuid,
  parseAmount,
  referenceKey,
  toAsciiDigits,
} from '@pay/contracts';
import { route, serviceAuth, type PeerSecret } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import type { Express } from 'express';
import { searchIntents } from './search-repository';

export interface SearchDeps {
  readonly db: Queryable;
  readonly peerSecrets: { readonly 'dashboard-api': PeerSecret };
}

/** `GET /internal/v1/search` */
export function mountSearch(app: Express, { db, peerSecrets }: SearchDeps): void {
  app.get(
    '/internal/v1/search',
    serviceAuth({ audience: 'intent-api', secrets: peerSecrets, allow: ['dashboard-api'] }),
    route({ query: internalPaymentSearchQuerySchema }, async ({ query: { text, ids, ...tenant } }) => {
      const found = await searchIntents(db, tenant, {
        ...{ text, referenceKey: referenceKey(text) },
        ids: isUuid(text) ? [...ids, text] : ids,
        poisha: parseAmount(toAsciiDigits(text).replaceAll(',', '')),
      });
      const data = found.map(({ foundBy, stored }) => foundPaymentSchema.parse({ ...stored.intent, foundBy }));
      return { status: 200, body: { data } };
    }),
  );
}
