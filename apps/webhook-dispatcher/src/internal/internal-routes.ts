import {
  findProblemsRequestSchema,
  internalStatisticsQuerySchema,
  paymentAuditRangeSchema,
  type MissingDeliveries,
} from '@pay/contracts';
import type { InternalRoutes } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { findProblems } from '../alerts/problem-repository';
import { findMissingDeliveries } from '../payment-audit/audited-payment-repository';
import { findWebhookStatistics } from '../statistics/webhook-statistics-repository';

export interface DashboardRoutesDeps {
  readonly db: Queryable;
  /** Deliveries of payments decided at or after this time are not deleted yet. */
  readonly deliveriesKeptSince: () => Date;
}

const MOST_MISSING = 1_000;

export function mountForDashboard(dashboard: InternalRoutes, { db, deliveriesKeptSince }: DashboardRoutesDeps): void {
  dashboard.get(
    '/internal/v1/payment-audit/missing-deliveries',
    { query: paymentAuditRangeSchema },
    async ({ query }) =>
      ({
        payments: await findMissingDeliveries(db, query, MOST_MISSING),
        keptSince: deliveriesKeptSince().toISOString(),
      }) satisfies MissingDeliveries,
  );
  dashboard.get('/internal/v1/webhook-statistics', { query: internalStatisticsQuerySchema }, ({ query }) =>
    findWebhookStatistics(db, query),
  );
  dashboard.post('/internal/v1/problems', { body: findProblemsRequestSchema }, ({ body }) =>
    findProblems(db, body.tenants),
  );
}
