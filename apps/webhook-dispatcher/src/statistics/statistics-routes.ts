import { internalStatisticsQuerySchema } from '@pay/contracts';
import type { InternalRoutes } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { findWebhookStatistics } from './webhook-statistics-repository';

/** `GET /internal/v1/webhook-statistics` */
export function mountStatistics(dashboard: InternalRoutes, db: Queryable): void {
  dashboard.get('/internal/v1/webhook-statistics', { query: internalStatisticsQuerySchema }, ({ query }) =>
    findWebhookStatistics(db, query),
  );
}
