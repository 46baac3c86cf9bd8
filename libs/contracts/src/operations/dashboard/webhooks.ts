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
import { deliveryResponseSchema, endpointResponseSchema, WEBHOOK_RESPONSE_SECONDS } from '../../http/webhooks';
import { ANYBODY, keyHoldersOf, page, section } from './common';

const ENDPOINTS = '/v1/dashboard/webhook-endpoints';
const DELIVERIES = '/v1/dashboard/webhook-deliveries';
const MANAGERS = keyHoldersOf('webhook_endpoint');
const anEndpoint = { 200: { description: 'The endpoint.', body: endpointResponseSchema } } as const;
const withSecret = 'The endpoint and its secret, which is returned only in this response.';

const api = section('Webhooks in the dashboard');

export const createEndpoint = api.post('createEndpoint', ENDPOINTS, {
  summary: 'Add a webhook endpoint',
  description: 'The secret is generated.',
  credential: keyHoldersOf('body'),
  body: createEndpointRequestSchema,
  answers: { 201: { description: withSecret, body: endpointWithSecretSchema } },
  errors: ['ENDPOINT_LIMIT_REACHED', 'ENDPOINT_HOST_UNVERIFIED'],
});

export const listEndpoints = api.get('listEndpoints', ENDPOINTS, {
  summary: 'List the webhook endpoints of one environment',
  credential: ANYBODY,
  query: endpointListQuerySchema,
  answers: { 200: { description: page, body: pageOf(endpointResponseSchema) } },
});

export const getEndpoint = api.get('getEndpoint', `${ENDPOINTS}/:id`, {
  summary: 'Retrieve a webhook endpoint',
  credential: ANYBODY,
  answers: anEndpoint,
});

export const changeEndpoint = api.patch('changeEndpoint', `${ENDPOINTS}/:id`, {
  summary: 'Update a webhook endpoint',
  description: 'A changed URL must be verified again.',
  credential: MANAGERS,
  body: changeEndpointRequestSchema,
  answers: anEndpoint,
  errors: ['ENDPOINT_HOST_UNVERIFIED'],
});

export const deleteEndpoint = api.delete('deleteEndpoint', `${ENDPOINTS}/:id`, {
  summary: 'Delete a webhook endpoint',
  description: 'No further webhooks are sent, except a request already in progress.',
  credential: MANAGERS,
  answers: { 204: { description: 'The endpoint is deleted.' } },
});

export const verifyEndpoint = api.post('verifyEndpoint', `${ENDPOINTS}/:id/verify`, {
  summary: 'Verify a webhook endpoint',
  description:
    `Sends a signed event with a random \`challenge\`, which the endpoint must return within ${WEBHOOK_RESPONSE_SECONDS} seconds. ` +
    'Held deliveries are sent after verification.',
  credential: MANAGERS,
  answers: anEndpoint,
  errors: ['ENDPOINT_VERIFICATION_FAILED', 'RATE_LIMITED'],
});

export const testEndpoint = api.post('testEndpoint', `${ENDPOINTS}/:id/test`, {
  summary: 'Send a test event to a webhook endpoint',
  credential: MANAGERS,
  answers: { 200: { description: 'The queued delivery.', body: deliveryResponseSchema } },
  errors: ['ENDPOINT_NOT_ACTIVE'],
});

export const rotateEndpointSecret = api.post('rotateEndpointSecret', `${ENDPOINTS}/:id/rotate-secret`, {
  summary: 'Rotate the secret of a webhook endpoint',
  description: 'The new secret is generated. Both secrets sign during the overlap (default: one day).',
  credential: MANAGERS,
  body: rotateEndpointSecretRequestSchema,
  answers: { 200: { description: withSecret, body: endpointWithSecretSchema } },
});

export const finishEndpointRotation = api.post('finishEndpointRotation', `${ENDPOINTS}/:id/rotate-secret/finish`, {
  summary: 'End a secret rotation',
  description: 'Only the new secret signs from then on.',
  credential: MANAGERS,
  answers: anEndpoint,
});

export const recoverEndpoint = api.post('recoverEndpoint', `${ENDPOINTS}/:id/recover`, {
  summary: 'Recover missed deliveries of a webhook endpoint',
  description: 'Sends failed and held deliveries again, in the background.',
  credential: MANAGERS,
  body: recoverRequestSchema,
  answers: { 200: { description: 'The started recovery.', body: recoverySchema } },
  errors: ['ENDPOINT_NOT_ACTIVE', 'TIME_OUT_OF_RANGE'],
});

export const getEndpointRecovery = api.get('getEndpointRecovery', `${ENDPOINTS}/:id/recover`, {
  summary: 'Get the progress of the latest recovery',
  credential: ANYBODY,
  answers: { 200: { description: 'The latest recovery, or null.', body: latestRecoverySchema } },
});

export const listDeliveries = api.get('listDeliveries', DELIVERIES, {
  summary: 'List the webhook deliveries of one environment',
  credential: ANYBODY,
  query: deliveryListQuerySchema,
  answers: { 200: { description: page, body: pageOf(deliveryResponseSchema) } },
});

export const getDelivery = api.get('getDelivery', `${DELIVERIES}/:id`, {
  summary: 'Retrieve a webhook delivery with every attempt',
  credential: ANYBODY,
  answers: { 200: { description: 'The delivery.', body: dashboardDeliverySchema } },
});

export const redeliver = api.post('redeliver', `${DELIVERIES}/:id/redeliver`, {
  summary: 'Redeliver a webhook',
  description: 'Possible in every status, with the same `X-Webhook-Id` and body.',
  credential: keyHoldersOf('webhook_delivery'),
  answers: { 200: { description: 'The queued delivery.', body: deliveryResponseSchema } },
  errors: ['ENDPOINT_NOT_ACTIVE'],
});
