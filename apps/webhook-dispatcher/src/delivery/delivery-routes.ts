import {
  getWebhookDelivery,
  listWebhookDeliveries,
  redeliverWebhook,
  testWebhookEndpoint,
  BusinessError,
} from '@pay/contracts';
import type { ServeTenant } from '@pay/http';
import { attemptsOf, findDelivery } from './delivery-detail-repository';
import { listDeliveryRows } from './delivery-list-repository';
import { redeliver } from './redeliver';
import { testEndpoint, type AskDeps } from './test-endpoint';
import { deliveryAnswer, deliveryDetail } from './delivery-answer';

export function mountWebhookDeliveries(serve: ServeTenant, deps: AskDeps): void {
  const { db } = deps;

  serve(listWebhookDeliveries, async ({ tenant, query }) => {
    const { page, limit, ...filter } = query;
    const { data, total } = await listDeliveryRows(db, tenant, filter, { page, limit });
    return { data: data.map(deliveryAnswer), total, page, limit };
  });
  serve(getWebhookDelivery, async ({ tenant, params }) => {
    const delivery = await findDelivery(db, tenant, params.id);
    if (delivery === undefined) throw new BusinessError('NOT_FOUND');
    return deliveryDetail(delivery, await attemptsOf(db, params.id));
  });
  serve(redeliverWebhook, async ({ tenant, params }) => deliveryAnswer(await redeliver(deps, tenant, params.id)));
  serve(testWebhookEndpoint, async ({ tenant, params }) => deliveryAnswer(await testEndpoint(deps, tenant, params.id)));
}
