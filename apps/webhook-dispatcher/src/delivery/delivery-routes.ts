import {
  getWebhookDelivery,
  listWebhookDeliveries,
  redeliverWebhook,
  testWebhookEndpoint,
  BusinessError,
} from '@pay/contracts';
import { type Serve, type TenantOfRequest } from '@pay/http';
import { attemptsOf, findDelivery } from './delivery-detail-repository';
import { listDeliveryRows } from './delivery-list-repository';
import { redeliver } from './redeliver';
import { testEndpoint, type AskDeps } from './test-endpoint';
import { deliveryAnswer, deliveryDetail } from './delivery-answer';

export interface DeliveryRoutesDeps extends AskDeps {
  readonly tenantOf: TenantOfRequest;
}

export function mountWebhookDeliveries(serve: Serve, deps: DeliveryRoutesDeps): void {
  const { db, tenantOf } = deps;

  serve(listWebhookDeliveries, async ({ query, ...call }) => {
    const { page, limit, ...filter } = query;
    const { data, total } = await listDeliveryRows(db, tenantOf(call), filter, { page, limit });
    return { status: 200, body: { data: data.map(deliveryAnswer), total, page, limit } };
  });
  serve(getWebhookDelivery, async ({ params, ...call }) => {
    const delivery = await findDelivery(db, tenantOf(call), params.id);
    if (delivery === undefined) throw new BusinessError('NOT_FOUND');
    return { status: 200, body: deliveryDetail(delivery, await attemptsOf(db, params.id)) };
  });
  serve(redeliverWebhook, async ({ params, ...call }) => ({
    status: 200,
    body: deliveryAnswer(await redeliver(deps, tenantOf(call), params.id)),
  }));
  serve(testWebhookEndpoint, async ({ params, ...call }) => ({
    status: 200,
    body: deliveryAnswer(await testEndpoint(deps, tenantOf(call), params.id)),
  }));
}
