import { randomBytes } from 'node:crypto';
import {
  dashboardOperations,
  deliveryResponseSchema,
  endpointResponseSchema,
  latestRecoverySchema,
  pageOf,
  recoverySchema,
  type RecoveryResponse,
  type Tenant,
} from '@pay/contracts';
import { sessionOf, type Serve } from '@pay/http';
import type { Response } from 'express';
import { z } from 'zod';
import { recordCall } from '../changes/record-action';
import {
  actOnEndpoint,
  endpointFacts,
  refusalOf,
  type ActOnEndpointDeps,
  type EndpointAction,
} from './act-on-endpoint';
import { askDispatcher, tenantOfWebhook } from '../clients/webhook-owner';

const SECRET_BYTES = 32;

interface Call {
  readonly params: { readonly id: string };
  readonly res: Response;
}

interface Action<T> extends Omit<EndpointAction<T>, 'act'> {
  readonly client?: ActOnEndpointDeps['shops'];
  readonly method?: 'POST' | 'PATCH' | 'DELETE';
  /** The part after the path of the endpoint. */
  readonly path: string;
  readonly schema: z.ZodType<T>;
  readonly body?: unknown;
}

export function mountWebhookEndpoints(serve: Serve, deps: ActOnEndpointDeps): void {
  const { webhookDispatcher } = deps;

  serve(dashboardOperations.createEndpoint, async ({ body: { environment, url, eventTypes }, res }) => {
    const session = sessionOf(res);
    const { merchantId } = session;
    const tenant: Tenant = { merchantId, environment };
    const record = (action: string, subject: { subjectKind: string; subjectId: string }, after: object) =>
      recordCall(deps, session, { ...tenant, ...subject, action: `webhook_endpoint.${action}`, after });
    const ofMerchant = { subjectKind: 'merchant', subjectId: merchantId };
    await record('created_asked', ofMerchant, { url, eventTypes });
    const secret = newSecret();
    const body = { url, eventTypes, secret };
    const created = await askDispatcher(
      webhookDispatcher,
      tenant,
      'POST',
      '/endpoints',
      endpointResponseSchema,
      body,
    ).catch(async (error: unknown) => {
      const refusal = refusalOf(error);
      if (refusal !== undefined) await record('created_refused', ofMerchant, refusal);
      throw error;
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
  serve(dashboardOperations.getEndpoint, async (call) => ({
    status: 200,
    body: await readOf(call, '', endpointResponseSchema),
  }));
  serve(dashboardOperations.getEndpointRecovery, async (call) => ({
    status: 200,
    body: await readOf(call, '/recover', latestRecoverySchema),
  }));

  serve(dashboardOperations.changeEndpoint, async (call) => ({
    status: 200,
    body: await act(call, {
      done: 'changed',
      asked: call.body,
      after: endpointFacts,
      method: 'PATCH',
      path: '',
      schema: endpointResponseSchema,
      body: call.body,
    }),
  }));

  serve(dashboardOperations.deleteEndpoint, async (call) => {
    await act(call, { done: 'deleted', after: () => ({}), method: 'DELETE', path: '', schema: z.undefined() });
    return { status: 204 };
  });

  serve(dashboardOperations.verifyEndpoint, async (call) => ({
    status: 200,
    body: await act(call, {
      done: 'verified',
      after: endpointFacts,
      client: deps.shops,
      path: '/verify',
      schema: endpointResponseSchema,
    }),
  }));

  serve(dashboardOperations.testEndpoint, async (call) => ({
    status: 200,
    body: await act(call, {
      done: 'tested',
      path: '/test',
      schema: deliveryResponseSchema,
      after: (delivery) => ({ deliveryId: delivery.id }),
    }),
  }));

  serve(dashboardOperations.rotateEndpointSecret, async (call) => {
    const { overlapSeconds } = call.body;
    const secret = newSecret();
    const rotated = await act(call, {
      done: 'rotated',
      asked: { overlapSeconds },
      after: endpointFacts,
      path: '/rotate-secret',
      schema: endpointResponseSchema,
      body: { secret, overlapSeconds },
    });
    return { status: 200, body: { ...rotated, secret } };
  });

  serve(dashboardOperations.finishEndpointRotation, async (call) => ({
    status: 200,
    body: await act(call, {
      done: 'rotation_finished',
      after: endpointFacts,
      path: '/rotate-secret/finish',
      schema: endpointResponseSchema,
    }),
  }));

  serve(dashboardOperations.recoverEndpoint, async (call) => ({
    status: 200,
    body: await act(call, {
      done: 'recovered',
      asked: call.body,
      after: ({ since }: RecoveryResponse) => ({ since }),
      path: '/recover',
      schema: recoverySchema,
      body: call.body,
    }),
  }));

  async function readOf<T>({ params: { id }, res }: Call, path: string, schema: z.ZodType<T>): Promise<T> {
    const tenant = await tenantOfWebhook(deps, sessionOf(res).merchantId, 'endpoints', id);
    return askDispatcher(webhookDispatcher, tenant, 'GET', `/endpoints/${id}${path}`, schema);
  }

  function act<T>({ params: { id }, res }: Call, action: Action<T>): Promise<T> {
    const { client = webhookDispatcher, method = 'POST', path, schema, body, ...noted } = action;
    return actOnEndpoint(deps, sessionOf(res), id, {
      ...noted,
      act: (tenant) => askDispatcher(client, tenant, method, `/endpoints/${id}${path}`, schema, body),
    });
  }
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
