import { dashboardOperations, deliveryDetailSchema, deliveryResponseSchema, pageOf } from '@pay/contracts';
import type { Serve } from '@pay/http';
import { withQuery } from '../clients/with-query';
import { recordCall } from '../changes/record-call';
import type { ActOnEndpointDeps } from './act-on-endpoint';
import { askDispatcher, tenantOfWebhook } from '../clients/webhook-owner';

export function mountWebhookDeliveries(serve: Serve, deps: ActOnEndpointDeps): void {
  const { webhookDispatcher } = deps;
  const tenantOf = (merchantId: string, id: string) => tenantOfWebhook(deps, merchantId, 'deliveries', id);

  serve(dashboardOperations.listDeliveries, async ({ session, query: { environment, ...query } }) => {
    const tenant = { merchantId: session.merchantId, environment };
    const path = withQuery('/deliveries', query);
    return askDispatcher(webhookDispatcher, tenant, 'GET', path, pageOf(deliveryResponseSchema));
  });
  serve(dashboardOperations.getDelivery, async ({ session, params: { id } }) => {
    const tenant = await tenantOf(session.merchantId, id);
    const path = `/deliveries/${id}`;
    const delivery = await askDispatcher(webhookDispatcher, tenant, 'GET', path, deliveryDetailSchema);
    return { ...delivery, environment: tenant.environment };
  });
  serve(dashboardOperations.redeliver, async ({ session, params: { id } }) => {
    const tenant = await tenantOf(session.merchantId, id);
    const path = `/deliveries/${id}`;
    const { status, attempt } = await askDispatcher(webhookDispatcher, tenant, 'GET', path, deliveryResponseSchema);
    return recordCall(deps, session, {
      ...tenant,
      action: 'webhook_delivery.redelivered',
      subjectId: id,
      before: { status, attempt },
      call: () => askDispatcher(webhookDispatcher, tenant, 'POST', `${path}/redeliver`, deliveryResponseSchema),
      after: (delivery) => ({ status: delivery.status, attempt: delivery.attempt }),
    });
  });
}
