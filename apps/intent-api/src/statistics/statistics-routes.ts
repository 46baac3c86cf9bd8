import { internalStatisticsQuerySchema, type PaymentStatistics } from '@pay/contracts';
import type { InternalRoutes } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { countByStatus, findDaysOfPayments } from './payment-statistics-repository';
import { dayInDhaka, weekBefore } from '../domain/day';

export interface StatisticsDeps {
  readonly db: Queryable;
  readonly now: () => Date;
}

/** Statistics contain today and the same weekday of the previous week. */
export function mountStatistics(dashboard: InternalRoutes, { db, now }: StatisticsDeps): void {
  dashboard.get('/internal/v1/intent-counts', { query: internalStatisticsQuerySchema }, ({ query }) =>
    countByStatus(db, query),
  );
  dashboard.get(
    '/internal/v1/payment-statistics',
    { query: internalStatisticsQuerySchema },
    async ({ query: tenant }) => {
      const asOf = now();
      const day = dayInDhaka(asOf);
      const [[today, before], intents] = await Promise.all([
        findDaysOfPayments(db, tenant, [day, weekBefore(day)]),
        countByStatus(db, tenant),
      ]);
      if (today === undefined || before === undefined) throw new Error('invariant: each day has its numbers');
      return { asOf: asOf.toISOString(), today, weekBefore: before, intents } satisfies PaymentStatistics;
    },
  );
}
