import { getWebhookDelivery, listWebhookDeliveries, redeliverWebhook } from '@pay/contracts';
import type { Directory } from '@pay/directory';
import { ApiError, callerOf, operationServer, type CredentialChecks } from '@pay/http';
import type { Express } from 'express';
import { attemptsOf, findDelivery } from './delivery-detail-repository';
import { listDeliveryRows } from './delivery-list-repository';
import { redeliver } from '../recovery/redeliver';
import type { AskDeps } from '../endpoints/test-endpoint';
import { deliveryAnswer, deliveryDetail } from './delivery-answer';

export interface DeliveryRoutesDeps extends AskDeps {
  readonly directory: Pick<Directory, 'findApiKey'>;
  readonly perKey: NonNullable<CredentialChecks['guard']>;
}

/** `/v1/webhooks/deliveries`: what was sent to whom, and how it went. */
export function mountWebhookDeliveries(app: Express, deps: DeliveryRoutesDeps): void {
  const { db, directory, perKey } = deps;
  const serve = operationServer(app, { findApiKey: directory.findApiKey, guard: perKey });

  serve(listWebhookDeliveries, async ({ query, res }) => {
    const { page, limit, ...filter } = query;
    const { data, total } = await listDeliveryRows(db, callerOf(res), filter, { page, limit });
    return { status: 200, body: { data: data.map(deliveryAnswer), total, page, limit } };
  });
  serve(getWebhookDelivery, async ({ params, res }) => {
    const delivery = await findDelivery(db, callerOf(res), params.id);
    if (delivery === undefined) throw new ApiError('NOT_FOUND');
    return { status: 200, body: deliveryDetail(delivery, await attemptsOf(db, params.id)) };
  });
  serve(redeliverWebhook, async ({ params, res }) => ({
    status: 200,
    body: deliveryAnswer(await redeliver(deps, callerOf(res), params.id)),
  }));
}
