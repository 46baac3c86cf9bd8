import { listWebhookDeliveries, type DeliveryResponse } from '@pay/contracts';
import type { Directory } from '@pay/directory';
import { callerOf, operationServer, type Doors } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import type { Express } from 'express';
import { listDeliveryRows, type ListedDelivery } from '../db/delivery-list';

export interface DeliveryRoutesDeps {
  readonly db: Queryable;
  readonly directory: Pick<Directory, 'findApiKey'>;
  readonly perKey: NonNullable<Doors['guard']>;
}

/** `/v1/webhooks/deliveries`: what was sent to whom, and how it went. */
export function mountWebhookDeliveries(app: Express, { db, directory, perKey }: DeliveryRoutesDeps): void {
  const serve = operationServer(app, { findApiKey: directory.findApiKey, guard: perKey });

  serve(listWebhookDeliveries, async ({ query, res }) => {
    const { page, limit, ...filter } = query;
    const { data, total } = await listDeliveryRows(db, callerOf(res), filter, { page, limit });
    return { status: 200, body: { data: data.map(answerOf), total, page, limit } };
  });
}

function answerOf({ deliveredAt, createdAt, ...delivery }: ListedDelivery): DeliveryResponse {
  return { ...delivery, deliveredAt: deliveredAt?.toISOString() ?? null, createdAt: createdAt.toISOString() };
}
