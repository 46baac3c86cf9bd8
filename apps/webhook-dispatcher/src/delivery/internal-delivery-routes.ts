import {
  deliveryRowsQuerySchema,
  MOST_IN_EVIDENCE_FILE,
  type DeliveryRows,
  type InternalDeliveries,
} from '@pay/contracts';
import { tenantOf, type InternalRoutes } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { z } from 'zod';
import { attemptsOfAll } from './delivery-detail-repository';
import { deliveryRowsAfter, listDeliveryRows } from './delivery-list-repository';
import { deliveryAnswer, shownOf } from './delivery-answer';

const query = z.object({ paymentIntentId: z.uuid(), responses: z.literal('true').optional() });

export function mountInternalDeliveries(dashboard: InternalRoutes, db: Queryable): void {
  dashboard.get('/internal/v1/deliveries', { query }, async ({ query: { paymentIntentId, responses }, req }) => {
    const page = { page: 1, limit: MOST_IN_EVIDENCE_FILE };
    const { data } = await listDeliveryRows(db, tenantOf(req), { paymentIntentId }, page);
    const attempts = await attemptsOfAll(
      db,
      data.map(({ id }) => id),
    );
    const deliveries = data.reverse().map(({ id, endpointId, eventType, status, createdAt, deliveredAt }) => ({
      id,
      endpointId,
      eventType,
      status,
      createdAt: createdAt.toISOString(),
      deliveredAt: deliveredAt?.toISOString() ?? null,
      attempts: attempts
        .filter(({ deliveryId }) => deliveryId === id)
        .map(({ attempt, outcome, httpStatus, startedAt, finishedAt, response }) => ({
          attempt,
          outcome: shownOf({ outcome, detail: null }).outcome,
          httpStatus,
          startedAt: startedAt.toISOString(),
          finishedAt: finishedAt?.toISOString() ?? null,
          ...(responses === 'true' && { response }),
        })),
    }));
    return { deliveries } satisfies InternalDeliveries;
  });
  dashboard.get(
    '/internal/v1/delivery-rows',
    { query: deliveryRowsQuerySchema },
    async ({ query: { limit, after, ...filter }, req }) => {
      const rows = await deliveryRowsAfter(db, tenantOf(req), filter, { after, limit: limit + 1 });
      const data = rows.slice(0, limit).map(deliveryAnswer);
      const nextCursor = rows.length > limit ? (data.at(-1)?.id ?? null) : null;
      return { data, nextCursor } satisfies DeliveryRows;
    },
  );
}
