import { z } from 'zod';
import {
  changeEndpointRequestSchema,
  deliveryDetailSchema,
  latestRecoverySchema,
  recoverRequestSchema,
  recoverySchema,
  rotateSecretRequestSchema,
} from '../http/webhook-management';
import { deliveryResponseSchema, endpointResponseSchema } from '../http/webhooks';
import { operation } from './operation';

const tag = 'Webhooks';
const service = 'webhook-dispatcher';
const mayRead = { kind: 'apiKey', scope: 'webhooks:read' } as const;
const mayWrite = { kind: 'apiKey', scope: 'webhooks:write' } as const;
const params = z.object({ id: z.uuid().toLowerCase() });
const anEndpoint = { 200: { description: 'The endpoint.', body: endpointResponseSchema } } as const;

export const verifyWebhookEndpoint = operation({
  id: 'verifyWebhookEndpoint',
  service,
  method: 'post',
  path: '/v1/webhooks/endpoints/:id/verify',
  tag,
  summary: 'Verify a webhook endpoint',
  description:
    'Sends a signed `webhook.endpoint_verification` event with a random `challenge`. The endpoint must answer 2xx with ' +
    '`{"challenge": ...}` within 15 seconds. Held deliveries are sent after verification. A merchant may start 10 verifications ' +
    'per minute and host.',
  credential: mayWrite,
  params,
  answers: anEndpoint,
  errors: ['ENDPOINT_VERIFICATION_FAILED'],
});

export const changeWebhookEndpoint = operation({
  id: 'changeWebhookEndpoint',
  service,
  method: 'patch',
  path: '/v1/webhooks/endpoints/:id',
  tag,
  summary: 'Update a webhook endpoint',
  description:
    'A changed URL must be verified again. A merchant may have one unverified endpoint per host and port. Use `recover` to send the deliveries that were held while the endpoint was disabled.',
  credential: mayWrite,
  params,
  body: changeEndpointRequestSchema,
  answers: anEndpoint,
  errors: ['ENDPOINT_HOST_UNVERIFIED'],
});

export const rotateWebhookSecret = operation({
  id: 'rotateWebhookSecret',
  service,
  method: 'post',
  path: '/v1/webhooks/endpoints/:id/rotate-secret',
  tag,
  summary: 'Rotate the secret of a webhook endpoint',
  description:
    'During the overlap `webhook-signature` contains one signature per secret, `X-Webhook-Signature` uses the old secret, and ' +
    '`X-Webhook-Signature-Next` uses the new secret.',
  credential: mayWrite,
  params,
  body: rotateSecretRequestSchema,
  answers: anEndpoint,
});

export const finishSecretRotation = operation({
  id: 'finishSecretRotation',
  service,
  method: 'post',
  path: '/v1/webhooks/endpoints/:id/rotate-secret/finish',
  tag,
  summary: 'End a secret rotation',
  description: 'Only the new secret signs from then on. Has no effect if no rotation is in progress.',
  credential: mayWrite,
  params,
  answers: anEndpoint,
});

export const testWebhookEndpoint = operation({
  id: 'testWebhookEndpoint',
  service,
  method: 'post',
  path: '/v1/webhooks/endpoints/:id/test',
  tag,
  summary: 'Send a test event',
  description:
    'Creates a delivery of `webhook.test` that is signed, stored and retried like any other delivery. It does not refer to a payment.',
  credential: mayWrite,
  params,
  answers: { 200: { description: 'The queued delivery.', body: deliveryResponseSchema } },
  errors: ['ENDPOINT_NOT_ACTIVE'],
});

export const recoverWebhookEndpoint = operation({
  id: 'recoverWebhookEndpoint',
  service,
  method: 'post',
  path: '/v1/webhooks/endpoints/:id/recover',
  tag,
  summary: 'Recover missed deliveries of an endpoint',
  description:
    'Sends failed and held deliveries again with their `X-Webhook-Id`, and creates deliveries for events that have none. Runs in ' +
    'the background, oldest event first. A further request while it runs restarts it from the earlier time.',
  credential: mayWrite,
  params,
  body: recoverRequestSchema,
  answers: { 200: { description: 'The started recovery.', body: recoverySchema } },
  errors: ['ENDPOINT_NOT_ACTIVE', 'TIME_OUT_OF_RANGE'],
});

export const getWebhookRecovery = operation({
  id: 'getWebhookRecovery',
  service,
  method: 'get',
  path: '/v1/webhooks/endpoints/:id/recover',
  tag,
  summary: 'Get the progress of the latest recovery',
  credential: mayRead,
  params,
  answers: { 200: { description: 'The latest recovery, or null.', body: latestRecoverySchema } },
});

export const getWebhookDelivery = operation({
  id: 'getWebhookDelivery',
  service,
  method: 'get',
  path: '/v1/webhooks/deliveries/:id',
  tag,
  summary: 'Retrieve a webhook delivery with every attempt',
  description: 'Deliveries are kept for 30 days after they finish.',
  credential: mayRead,
  params,
  answers: { 200: { description: 'The delivery.', body: deliveryDetailSchema } },
});

export const redeliverWebhook = operation({
  id: 'redeliverWebhook',
  service,
  method: 'post',
  path: '/v1/webhooks/deliveries/:id/redeliver',
  tag,
  summary: 'Redeliver a webhook',
  description:
    'Possible in every status, with the same `X-Webhook-Id` and body. Each request sends the delivery once more and restarts its retry schedule.',
  credential: mayWrite,
  params,
  answers: { 200: { description: 'The queued delivery.', body: deliveryResponseSchema } },
  errors: ['ENDPOINT_NOT_ACTIVE'],
});
