import { internalSearchQuerySchema } from '@pay/contracts';
import type { InternalRoutes } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { search } from './search';

/** `GET /internal/v1/search` */
export function mountSearch(dashboard: InternalRoutes, db: Queryable): void {
  dashboard.get('/internal/v1/search', { query: internalSearchQuerySchema }, ({ query: { text, ...tenant } }) =>
    search(db, tenant, text),
  );
}
