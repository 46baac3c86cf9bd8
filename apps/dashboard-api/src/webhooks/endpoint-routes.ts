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
import type { Serve, Session } from '@pay/http';
import { z } from 'zod';
import { recordCall } from '../changes/record-call';
import { actOnEndpoint, endpointFacts, type ActOnEndpointDeps, type EndpointAction } from './act-on-endpoint';
import { askDispatcher, tenantOfWebhook } from '../clients/webhook-owner';

const SECRET_BYTES = 32;

interface Call {
  readonly session: Session;
  readonly params: { readonly id: string };
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

  serve(dashboardOperations.createEndpoint, async ({ session, body: { environment, url, eventTypes } }) => {
    const { merchantId } = session;
    const tenant: Tenant = { merchantId, environment };
    const secret = newSecret();
    const body = { url, eventTypes, secret };
    const created = await recordCall(deps, session, {
      ...tenant,
      action: 'webhook_endpoint.created',
      subjectKind: 'merchant',
      subjectId: merchantId,
      asked: { url, eventTypes },
      call: () => askDispatcher(webhookDispatcher, tenant, 'POST', '/endpoints', endpointResponseSchema, body),
      after: endpointFacts,
      subjectOf: ({ id }) => ({ subjectKind: 'webhook_endpoint', subjectId: id }),
    });
    return { ...created, secret };
  });
  serve(dashboardOperations.listEndpoints, async ({ session, query: { environment, page, limit } }) => {
    const tenant = { merchantId: session.merchantId, environment };
    const path = `/endpoints?page=${page}&limit=${limit}`;
    return askDispatcher(webhookDispatcher, tenant, 'GET', path, pageOf(endpointResponseSchema));
  });
  serve(dashboardOperations.getEndpoint, (call) => readOf(call, '', endpointResponseSchema));
  serve(dashboardOperations.getEndpointRecovery, (call) => readOf(call, '/recover', latestRecoverySchema));

  serve(dashboardOperations.changeEndpoint, (call) =>
    act(call, {
      done: 'changed',
      asked: call.body,
      after: endpointFacts,
      method: 'PATCH',
      path: '',
      schema: endpointResponseSchema,
      body: call.body,
    }),
  );

  serve(dashboardOperations.deleteEndpoint, async (call) => {
    await act(call, { done: 'deleted', after: () => ({}), method: 'DELETE', path: '', schema: z.undefined() });
  });

  serve(dashboardOperations.verifyEndpoint, (call) =>
    act(call, {
      done: 'verified',
      after: endpointFacts,
      client: deps.shops,
      path: '/verify',
      schema: endpointResponseSchema,
    }),
  );

  serve(dashboardOperations.testEndpoint, (call) =>
    act(call, {
      done: 'tested',
      path: '/test',
      schema: deliveryResponseSchema,
      after: (delivery) => ({ deliveryId: delivery.id }),
    }),
  );

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
    return { ...rotated, secret };
  });

  serve(dashboardOperations.finishEndpointRotation, (call) =>
    act(call, {
      done: 'rotation_finished',
      after: endpointFacts,
      path: '/rotate-secret/finish',
      schema: endpointResponseSchema,
    }),
  );

  serve(dashboardOperations.recoverEndpoint, (call) =>
    act(call, {
      done: 'recovered',
      asked: call.body,
      after: ({ since }: RecoveryResponse) => ({ since }),
      path: '/recover',
      schema: recoverySchema,
      body: call.body,
    }),
  );

  async function readOf<T>({ session, params: { id } }: Call, path: string, schema: z.ZodType<T>): Promise<T> {
    const tenant = await tenantOfWebhook(deps, session.merchantId, 'endpoints', id);
    return askDispatcher(webhookDispatcher, tenant, 'GET', `/endpoints/${id}${path}`, schema);
  }

  function act<T>({ session, params: { id } }: Call, action: Action<T>): Promise<T> {
    const { client = webhookDispatcher, method = 'POST', path, schema, body, ...noted } = action;
    return actOnEndpoint(deps, session, id, {
      ...noted,
      act: (tenant) => askDispatcher(client, tenant, method, `/endpoints/${id}${path}`, schema, body),
    });
  }
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
