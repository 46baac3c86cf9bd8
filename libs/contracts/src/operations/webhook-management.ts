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
const params = z.object({ id: z.uuid() });
const anEndpoint = { 200: { description: 'The endpoint.', body: endpointResponseSchema } } as const;

export const verifyWebhookEndpoint = operation({
  id: 'verifyWebhookEndpoint',
  service,
  method: 'post',
  path: '/v1/webhooks/endpoints/:id/verify',
  tag,
  summary: 'Verify a webhook endpoint',
  description:
    'Sends a signed `webhook.endpoint_verification` with a random `challenge`. The endpoint answers 2xx with ' +
    '`{"challenge": ...}` within 15 seconds. Deliveries that were held until then are sent. A merchant may ask a host at most 10 times ' +
    'per minute.',
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
  summary: 'Change a webhook endpoint',
  description:
    'A changed address is unverified again; a merchant may have one unverified endpoint per host and port. What was held while it was switched off is sent by `recover`.',
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
  summary: 'Give a webhook endpoint another secret',
  description:
    'During the overlap `webhook-signature` carries a signature of each secret, `X-Webhook-Signature` stays with the old one and ' +
    '`X-Webhook-Signature-Next` carries that of the new one.',
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
  summary: 'End the overlap of two secrets now',
  description: 'From then on the new secret signs alone. Without a rotation under way nothing changes.',
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
  description: 'A delivery of `webhook.test` like any other: signed, kept, tried again. It is about no payment.',
  credential: mayWrite,
  params,
  answers: { 200: { description: 'The delivery, which is on its way.', body: deliveryResponseSchema } },
  errors: ['ENDPOINT_NOT_ACTIVE'],
});

export const recoverWebhookEndpoint = operation({
  id: 'recoverWebhookEndpoint',
  service,
  method: 'post',
  path: '/v1/webhooks/endpoints/:id/recover',
  tag,
  summary: 'Send what an endpoint has missed since a time',
  description:
    'Sends again what failed or was held, under its `X-Webhook-Id`, and makes deliveries for events that the endpoint has none of. ' +
    'It goes on in the background, oldest first; asked again meanwhile, it starts over from the earlier time.',
  credential: mayWrite,
  params,
  body: recoverRequestSchema,
  answers: { 200: { description: 'The recovery, which has begun.', body: recoverySchema } },
  errors: ['ENDPOINT_NOT_ACTIVE', 'TIME_OUT_OF_RANGE'],
});

export const getWebhookRecovery = operation({
  id: 'getWebhookRecovery',
  service,
  method: 'get',
  path: '/v1/webhooks/endpoints/:id/recover',
  tag,
  summary: 'How far the latest recovery is',
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
  description: 'Kept until 30 days after its end.',
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
  summary: 'Send a delivery again',
  description:
    'Whatever its status; same `X-Webhook-Id`, same body. Asked twice it is sent twice. The schedule begins anew.',
  credential: mayWrite,
  params,
  answers: { 200: { description: 'The delivery, which is on its way.', body: deliveryResponseSchema } },
  errors: ['ENDPOINT_NOT_ACTIVE'],
});
