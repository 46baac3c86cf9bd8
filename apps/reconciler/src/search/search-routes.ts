import { internalSearchQuerySchema } from '@pay/contracts';
import { route, serviceAuth, type PeerSecret } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import type { Express } from 'express';
import { search } from './search';

export interface SearchDeps {
  readonly db: Queryable;
  readonly peerSecrets: { readonly 'dashboard-api': PeerSecret };
}

/** `GET /internal/v1/search` */
export function mountSearch(app: Express, { db, peerSecrets }: SearchDeps): void {
  app.get(
    '/internal/v1/search',
    serviceAuth({ audience: 'reconciler', secrets: peerSecrets, allow: ['dashboard-api'] }),
    route({ query: internalSearchQuerySchema }, async ({ query: { text, ...tenant } }) => ({
      status: 200,
      body: await search(db, tenant, text),
    })),
  );
}
