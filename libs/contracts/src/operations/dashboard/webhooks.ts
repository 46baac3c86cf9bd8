import {
  createEndpointRequestSchema,
  dashboardDeliverySchema,
  deliveryListQuerySchema,
  endpointListQuerySchema,
  endpointWithSecretSchema,
  rotateEndpointSecretRequestSchema,
} from '../../http/dashboard-webhooks';
import { pageOf } from '../../http/pagination';
import {
  changeEndpointRequestSchema,
  latestRecoverySchema,
  recoverRequestSchema,
  recoverySchema,
} from '../../http/webhook-management';
import { deliveryResponseSchema, endpointResponseSchema } from '../../http/webhooks';
import { operation } from '../operation';
import { ANYBODY, keyHoldersOf, page, params, service } from './common';

const tag = 'Webhooks in the dashboard';
const ENDPOINTS = '/v1/dashboard/webhook-endpoints';
const DELIVERIES = '/v1/dashboard/webhook-deliveries';
const MANAGERS = keyHoldersOf('webhook_endpoint');
const anEndpoint = { 200: { description: 'The endpoint.', body: endpointResponseSchema } } as const;
const withSecret = 'The endpoint and its secret, which is returned only in this response.';

export const createEndpoint = operation({
  ...{ id: 'createEndpoint', service, method: 'post', path: ENDPOINTS, tag },
  summary: 'Add a webhook endpoint',
  description: 'The secret is generated.',
  credential: keyHoldersOf('body'),
  body: createEndpointRequestSchema,
  answers: { 201: { description: withSecret, body: endpointWithSecretSchema } },
  errors: ['ENDPOINT_LIMIT_REACHED', 'ENDPOINT_HOST_UNVERIFIED'],
});

export const listEndpoints = operation({
  ...{ id: 'listEndpoints', service, method: 'get', path: ENDPOINTS, tag },
  summary: 'List the webhook endpoints of one environment',
  credential: ANYBODY,
  query: endpointListQuerySchema,
  answers: { 200: { description: page, body: pageOf(endpointResponseSchema) } },
});

export const getEndpoint = operation({
  ...{ id: 'getEndpoint', service, method: 'get', path: `${ENDPOINTS}/:id`, tag },
  summary: 'Retrieve a webhook endpoint',
  credential: ANYBODY,
  params,
  answers: anEndpoint,
});

export const changeEndpoint = operation({
  ...{ id: 'changeEndpoint', service, method: 'patch', path: `${ENDPOINTS}/:id`, tag },
  summary: 'Update a webhook endpoint',
  description: 'A changed URL must be verified again.',
  credential: MANAGERS,
  params,
  body: changeEndpointRequestSchema,
  answers: anEndpoint,
  errors: ['ENDPOINT_HOST_UNVERIFIED'],
});

export const deleteEndpoint = operation({
  ...{ id: 'deleteEndpoint', service, method: 'delete', path: `${ENDPOINTS}/:id`, tag },
  summary: 'Delete a webhook endpoint',
  description: 'No further webhooks are sent, except a request already in progress.',
  credential: MANAGERS,
  params,
  answers: { 204: { description: 'The endpoint is deleted.' } },
});

export const verifyEndpoint = operation({
  ...{ id: 'verifyEndpoint', service, method: 'post', path: `${ENDPOINTS}/:id/verify`, tag },
  summary: 'Verify a webhook endpoint',
  description:
    'Sends a signed event with a random `challenge`, which the endpoint must return within 15 seconds. Held deliveries are sent ' +
    'after verification.',
  credential: MANAGERS,
  params,
  answers: anEndpoint,
  errors: ['ENDPOINT_VERIFICATION_FAILED', 'RATE_LIMITED'],
});

export const testEndpoint = operation({
  ...{ id: 'testEndpoint', service, method: 'post', path: `${ENDPOINTS}/:id/test`, tag },
  summary: 'Send a test event to a webhook endpoint',
  credential: MANAGERS,
  params,
  answers: { 200: { description: 'The queued delivery.', body: deliveryResponseSchema } },
  errors: ['ENDPOINT_NOT_ACTIVE'],
});

export const rotateEndpointSecret = operation({
  ...{ id: 'rotateEndpointSecret', service, method: 'post', path: `${ENDPOINTS}/:id/rotate-secret`, tag },
  summary: 'Rotate the secret of a webhook endpoint',
  description: 'The new secret is generated. Both secrets sign during the overlap (default: one day).',
  credential: MANAGERS,
  params,
  body: rotateEndpointSecretRequestSchema,
  answers: { 200: { description: withSecret, body: endpointWithSecretSchema } },
});

export const finishEndpointRotation = operation({
  ...{ id: 'finishEndpointRotation', service, method: 'post', path: `${ENDPOINTS}/:id/rotate-secret/finish`, tag },
  summary: 'End a secret rotation',
  description: 'Only the new secret signs from then on.',
  credential: MANAGERS,
  params,
  answers: anEndpoint,
});

export const recoverEndpoint = operation({
  ...{ id: 'recoverEndpoint', service, method: 'post', path: `${ENDPOINTS}/:id/recover`, tag },
  summary: 'Recover missed deliveries of a webhook endpoint',
  description: 'Sends failed and held deliveries again, in the background.',
  credential: MANAGERS,
  params,
  body: recoverRequestSchema,
  answers: { 200: { description: 'The started recovery.', body: recoverySchema } },
  errors: ['ENDPOINT_NOT_ACTIVE', 'TIME_OUT_OF_RANGE'],
});

export const getEndpointRecovery = operation({
  ...{ id: 'getEndpointRecovery', service, method: 'get', path: `${ENDPOINTS}/:id/recover`, tag },
  summary: 'Get the progress of the latest recovery',
  credential: ANYBODY,
  params,
  answers: { 200: { description: 'The latest recovery, or null.', body: latestRecoverySchema } },
});

export const listDeliveries = operation({
  ...{ id: 'listDeliveries', service, method: 'get', path: DELIVERIES, tag },
  summary: 'List the webhook deliveries of one environment',
  credential: ANYBODY,
  query: deliveryListQuerySchema,
  answers: { 200: { description: page, body: pageOf(deliveryResponseSchema) } },
});

export const getDelivery = operation({
  ...{ id: 'getDelivery', service, method: 'get', path: `${DELIVERIES}/:id`, tag },
  summary: 'Retrieve a webhook delivery with every attempt',
  credential: ANYBODY,
  params,
  answers: { 200: { description: 'The delivery.', body: dashboardDeliverySchema } },
});

export const redeliver = operation({
  ...{ id: 'redeliver', service, method: 'post', path: `${DELIVERIES}/:id/redeliver`, tag },
  summary: 'Redeliver a webhook',
  description: 'Possible in every status, with the same `X-Webhook-Id` and body.',
  credential: keyHoldersOf('webhook_delivery'),
  params,
  answers: { 200: { description: 'The queued delivery.', body: deliveryResponseSchema } },
  errors: ['ENDPOINT_NOT_ACTIVE'],
});
