import {
  deliveryStatusSchema,
  pageQuerySchema,
  webhookEventSchema,
  type DeliveryResponse,
  type Page,
} from '@pay/contracts';
import { apiKeyAuth, callerOf, route } from '@pay/http';
import type { Directory } from '@pay/directory';
import type { Queryable } from '@pay/persistence';
import { Router } from 'express';
import { z } from 'zod';
import { listDeliveryRows, type ListedDelivery } from '../db/delivery-list';

const oneOf = (name: string, options: readonly string[]): string => `${name} must be one of ${options.join(', ')}`;

const listQuery = pageQuerySchema.extend({
  status: z.enum(deliveryStatusSchema.options, { error: oneOf('status', deliveryStatusSchema.options) }).optional(),
  eventType: z.enum(webhookEventSchema.options, { error: oneOf('eventType', webhookEventSchema.options) }).optional(),
  endpointId: z.uuid('endpointId must be a UUID').optional(),
  paymentIntentId: z.uuid('paymentIntentId must be a UUID').optional(),
});

export interface DeliveryRoutesDeps {
  readonly db: Queryable;
  readonly directory: Pick<Directory, 'findApiKey'>;
}

export function webhookDeliveryRoutes({ db, directory }: DeliveryRoutesDeps): Router {
  const router = Router();
  router.get(
    '/',
    apiKeyAuth(directory.findApiKey, 'webhooks:read'),
    route({ query: listQuery }, async ({ query, res }) => {
      const { page, limit, ...filter } = query;
      const { data, total } = await listDeliveryRows(db, callerOf(res), filter, { page, limit });
      return { status: 200, body: { data: data.map(answerOf), total, page, limit } satisfies Page<DeliveryResponse> };
    }),
  );
  return router;
}

function answerOf({ deliveredAt, createdAt, ...delivery }: ListedDelivery): DeliveryResponse {
  return { ...delivery, deliveredAt: deliveredAt?.toISOString() ?? null, createdAt: createdAt.toISOString() };
}
