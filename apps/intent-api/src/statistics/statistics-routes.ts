import { internalStatisticsQuerySchema, paymentMethodSchema, type PaymentStatistics } from '@pay/contracts';
import { route, serviceAuth, type PeerSecret } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import type { Express } from 'express';
import { countByStatus, findDaysOfPayments } from './payment-statistics-repository';
import { dayInDhaka, weekBefore } from '../domain/day';

export interface StatisticsDeps {
  readonly db: Queryable;
  readonly now: () => Date;
  readonly peerSecrets: { readonly 'dashboard-api': PeerSecret };
}

/**
 * `/internal/v1/payment-statistics`: today and the same weekday of the week before. `/internal/v1/intent-counts`:
 * intents by status.
 */
export function mountStatistics(app: Express, { db, now, peerSecrets }: StatisticsDeps): void {
  const fromDashboard = serviceAuth({ audience: 'intent-api', secrets: peerSecrets, allow: ['dashboard-api'] });
  app.get(
    '/internal/v1/intent-counts',
    fromDashboard,
    route({ query: internalStatisticsQuerySchema }, async ({ query }) => ({
      status: 200,
      body: await countByStatus(db, query),
    })),
  );
  app.get(
    '/internal/v1/payment-statistics',
    fromDashboard,
    route({ query: internalStatisticsQuerySchema }, async ({ query: tenant }) => {
      const asOf = now();
      const day = dayInDhaka(asOf);
      const [[today, before], intents] = await Promise.all([
        findDaysOfPayments(db, tenant, [day, weekBefore(day)], paymentMethodSchema.options),
        countByStatus(db, tenant),
      ]);
      if (today === undefined || before === undefined) throw new Error('invariant: each day has its numbers');
      const body: PaymentStatistics = { asOf: asOf.toISOString(), today, weekBefore: before, intents };
      return { status: 200, body };
    }),
  );
}
