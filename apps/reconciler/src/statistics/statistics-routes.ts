import { internalStatisticsQuerySchema } from '@pay/contracts';
import { route, serviceAuth, type PeerSecret } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import type { Express } from 'express';
import { findDecisionStatistics } from './decision-statistics-repository';

export interface StatisticsDeps {
  readonly db: Queryable;
  readonly peerSecrets: { readonly 'dashboard-api': PeerSecret };
}

/** `GET /internal/v1/decision-statistics` */
export function mountStatistics(app: Express, { db, peerSecrets }: StatisticsDeps): void {
  app.get(
    '/internal/v1/decision-statistics',
    serviceAuth({ audience: 'reconciler', secrets: peerSecrets, allow: ['dashboard-api'] }),
    route({ query: internalStatisticsQuerySchema }, async ({ query }) => ({
      status: 200,
      body: await findDecisionStatistics(db, query),
    })),
  );
}
