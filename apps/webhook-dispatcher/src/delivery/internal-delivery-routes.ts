import {
  deliveryRowsQuerySchema,
  MOST_IN_EVIDENCE_FILE,
  type DeliveryRows,
  type InternalDeliveries,
} from '@pay/contracts';
import { route, serviceAuth, tenantOf, type PeerSecret } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import type { Express } from 'express';
import { z } from 'zod';
import { attemptsOfAll } from './delivery-detail-repository';
import { deliveryRowsAfter, listDeliveryRows } from './delivery-list-repository';
import { deliveryAnswer, shownOf } from './delivery-answer';

export interface InternalDeliveriesDeps {
  readonly db: Queryable;
  readonly peerSecrets: { readonly 'dashboard-api': PeerSecret };
}

const query = z.object({ paymentIntentId: z.uuid(), responses: z.literal('true').optional() });

/**
 * `GET /internal/v1/deliveries`: the webhooks of a payment; `/internal/v1/delivery-rows`: those of a tenant, page by
 * page.
 */
export function mountInternalDeliveries(app: Express, { db, peerSecrets }: InternalDeliveriesDeps): void {
  app.get(
    '/internal/v1/deliveries',
    serviceAuth({ audience: 'webhook-dispatcher', secrets: peerSecrets, allow: ['dashboard-api'] }),
    route({ query }, async ({ query: { paymentIntentId, responses }, req }) => {
      const page = { page: 1, limit: MOST_IN_EVIDENCE_FILE };
      const { data } = await listDeliveryRows(db, tenantOf(req), { paymentIntentId }, page);
      const attempts = await attemptsOfAll(
        db,
        data.map(({ id }) => id),
      );
      const deliveries = data.reverse().map(({ id, endpointId, eventType, status, createdAt, deliveredAt }) => ({
        ...{ id, endpointId, eventType, status, createdAt: createdAt.toISOString() },
        deliveredAt: deliveredAt?.toISOString() ?? null,
        attempts: attempts
          .filter(({ deliveryId }) => deliveryId === id)
          .map(({ attempt, outcome, httpStatus, startedAt, finishedAt, response }) => ({
            ...{
              attempt,
              outcome: shownOf({ outcome, detail: null }).outcome,
              httpStatus,
              startedAt: startedAt.toISOString(),
            },
            finishedAt: finishedAt?.toISOString() ?? null,
            ...(responses === 'true' && { response }),
          })),
      }));
      return { status: 200, body: { deliveries } satisfies InternalDeliveries };
    }),
  );
  app.get(
    '/internal/v1/delivery-rows',
    serviceAuth({ audience: 'webhook-dispatcher', secrets: peerSecrets, allow: ['dashboard-api'] }),
    route({ query: deliveryRowsQuerySchema }, async ({ query: { limit, after, ...filter }, req }) => {
      const rows = await deliveryRowsAfter(db, tenantOf(req), filter, { after, limit: limit + 1 });
      const data = rows.slice(0, limit).map(deliveryAnswer);
      const nextCursor = rows.length > limit ? (data.at(-1)?.id ?? null) : null;
      return { status: 200, body: { data, nextCursor } satisfies DeliveryRows };
    }),
  );
}
