import { internalStatisticsQuerySchema } from '@pay/contracts';
import type { InternalRoutes } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { findDecisionStatistics } from './decision-statistics-repository';

/** `GET /internal/v1/decision-statistics` */
export function mountStatistics(dashboard: InternalRoutes, db: Queryable): void {
  dashboard.get('/internal/v1/decision-statistics', { query: internalStatisticsQuerySchema }, ({ query }) =>
    findDecisionStatistics(db, query),
  );
}
