import { MOST_IN_EVIDENCE_FILE, type InternalDeliveries } from '@pay/contracts';
import { route, serviceAuth, tenantOf, type PeerSecret } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import type { Express } from 'express';
import { z } from 'zod';
import { attemptsOfAll } from './delivery-detail-repository';
import { listDeliveryRows } from './delivery-list-repository';
import { shownOf } from './delivery-answer';

export interface InternalDeliveriesDeps {
  readonly db: Queryable;
  readonly peerSecrets: { readonly 'dashboard-api': PeerSecret };
}

const query = z.object({ paymentIntentId: z.uuid(), responses: z.literal('true').optional() });

/** `GET /internal/v1/deliveries`: the webhooks of a payment. */
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
}
