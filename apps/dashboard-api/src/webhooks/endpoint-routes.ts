import { randomBytes } from 'node:crypto';
import {
  dashboardOperations,
  deliveryResponseSchema,
  endpointResponseSchema,
  latestRecoverySchema,
  pageOf,
  recoverySchema,
  type DeliveryResponse,
  type RecoveryResponse,
  type Tenant,
} from '@pay/contracts';
import { sessionOf, type operationServer } from '@pay/http';
import { z } from 'zod';
import { onBehalfOf } from '../changes/on-behalf-of';
import { recordAction } from '../changes/record-action';
import { actOnEndpoint, endpointFacts, type ActOnEndpointDeps } from './act-on-endpoint';
import { askDispatcher, tenantOfWebhook } from './webhook-owner';

const SECRET_BYTES = 32;

/** `/v1/dashboard/webhook-endpoints`: the endpoints of the merchant, which webhook-dispatcher owns. */
export function mountWebhookEndpoints(serve: ReturnType<typeof operationServer>, deps: ActOnEndpointDeps): void {
  const { webhookDispatcher, shops } = deps;
  const tenantOf = (merchantId: string, id: string) => tenantOfWebhook(deps, merchantId, 'endpoints', id);

  serve(dashboardOperations.createEndpoint, async ({ body: { environment, url, eventTypes }, res }) => {
    const session = sessionOf(res);
    const { merchantId } = session;
    const tenant: Tenant = { merchantId, environment };
    const record = (action: string, subject: { subjectKind: string; subjectId: string }, after: object) =>
      onBehalfOf(deps, session, (changeDeps, tx) =>
        recordAction(changeDeps, tx, { ...tenant, ...subject, action: `webhook_endpoint.${action}`, after }),
      );
    await record('created_asked', { subjectKind: 'merchant', subjectId: merchantId }, { url, eventTypes });
    const secret = newSecret();
    const created = await askDispatcher(webhookDispatcher, tenant, 'POST', '/endpoints', endpointResponseSchema, {
      ...{ url, eventTypes, secret },
    });
    await record('created', { subjectKind: 'webhook_endpoint', subjectId: created.id }, endpointFacts(created));
    return { status: 201, body: { ...created, secret } };
  });
  serve(dashboardOperations.listEndpoints, async ({ query: { environment, page, limit }, res }) => {
    const tenant = { merchantId: sessionOf(res).merchantId, environment };
    const path = `/endpoints?page=${page}&limit=${limit}`;
    return {
      status: 200,
      body: await askDispatcher(webhookDispatcher, tenant, 'GET', path, pageOf(endpointResponseSchema)),
    };
  });
  serve(dashboardOperations.getEndpoint, async ({ params: { id }, res }) => {
    const tenant = await tenantOf(sessionOf(res).merchantId, id);
    return {
      status: 200,
      body: await askDispatcher(webhookDispatcher, tenant, 'GET', `/endpoints/${id}`, endpointResponseSchema),
    };
  });
  serve(dashboardOperations.changeEndpoint, async ({ params: { id }, body, res }) => ({
    status: 200,
    body: await actOnEndpoint(deps, sessionOf(res), id, {
      ...{ done: 'changed', asked: body, after: endpointFacts },
      act: (tenant) =>
        askDispatcher(webhookDispatcher, tenant, 'PATCH', `/endpoints/${id}`, endpointResponseSchema, body),
    }),
  }));
  serve(dashboardOperations.deleteEndpoint, async ({ params: { id }, res }) => {
    await actOnEndpoint(deps, sessionOf(res), id, {
      ...{ done: 'deleted', after: () => ({}) },
      act: (tenant) => askDispatcher(webhookDispatcher, tenant, 'DELETE', `/endpoints/${id}`, z.undefined()),
    });
    return { status: 204 };
  });
  serve(dashboardOperations.verifyEndpoint, async ({ params: { id }, res }) => ({
    status: 200,
    body: await actOnEndpoint(deps, sessionOf(res), id, {
      ...{ done: 'verified', after: endpointFacts },
      act: (tenant) => askDispatcher(shops, tenant, 'POST', `/endpoints/${id}/verify`, endpointResponseSchema),
    }),
  }));
  serve(dashboardOperations.testEndpoint, async ({ params: { id }, res }) => ({
    status: 200,
    body: await actOnEndpoint(deps, sessionOf(res), id, {
      ...{ done: 'tested', after: (delivery: DeliveryResponse) => ({ deliveryId: delivery.id }) },
      act: (tenant) =>
        askDispatcher(webhookDispatcher, tenant, 'POST', `/endpoints/${id}/test`, deliveryResponseSchema),
    }),
  }));
  serve(dashboardOperations.rotateEndpointSecret, async ({ params: { id }, body: { overlapSeconds }, res }) => {
    const secret = newSecret();
    const path = `/endpoints/${id}/rotate-secret`;
    const rotated = await actOnEndpoint(deps, sessionOf(res), id, {
      ...{ done: 'rotated', asked: { overlapSeconds }, after: endpointFacts },
      act: (tenant) =>
        askDispatcher(webhookDispatcher, tenant, 'POST', path, endpointResponseSchema, { secret, overlapSeconds }),
    });
    return { status: 200, body: { ...rotated, secret } };
  });
  serve(dashboardOperations.finishEndpointRotation, async ({ params: { id }, res }) => ({
    status: 200,
    body: await actOnEndpoint(deps, sessionOf(res), id, {
      ...{ done: 'rotation_finished', after: endpointFacts },
      act: (tenant) =>
        askDispatcher(
          ...([webhookDispatcher, tenant, 'POST', `/endpoints/${id}/rotate-secret/finish`] as const),
          endpointResponseSchema,
        ),
    }),
  }));
  serve(dashboardOperations.recoverEndpoint, async ({ params: { id }, body, res }) => ({
    status: 200,
    body: await actOnEndpoint(deps, sessionOf(res), id, {
      ...{ done: 'recovered', asked: body, after: ({ since }: RecoveryResponse) => ({ since }) },
      act: (tenant) =>
        askDispatcher(webhookDispatcher, tenant, 'POST', `/endpoints/${id}/recover`, recoverySchema, body),
    }),
  }));
  serve(dashboardOperations.getEndpointRecovery, async ({ params: { id }, res }) => {
    const tenant = await tenantOf(sessionOf(res).merchantId, id);
    return {
      status: 200,
      body: await askDispatcher(webhookDispatcher, tenant, 'GET', `/endpoints/${id}/recover`, latestRecoverySchema),
    };
  });
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
