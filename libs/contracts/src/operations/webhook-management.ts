import {
  changeEndpointRequestSchema,
  deliveryDetailSchema,
  latestRecoverySchema,
  recoverRequestSchema,
  recoverySchema,
  rotateSecretRequestSchema,
} from '../http/webhook-management';
import { deliveryResponseSchema, endpointResponseSchema, WEBHOOK_RESPONSE_SECONDS } from '../http/webhooks';
import { operations } from './operation';

const mayRead = { kind: 'apiKey', scope: 'webhooks:read' } as const;
const mayWrite = { kind: 'apiKey', scope: 'webhooks:write' } as const;
const anEndpoint = { 200: { description: 'The endpoint.', body: endpointResponseSchema } } as const;

const api = operations({ service: 'webhook-dispatcher', tag: 'Webhooks' });

export const verifyWebhookEndpoint = api.post('verifyWebhookEndpoint', '/v1/webhooks/endpoints/:id/verify', {
  summary: 'Verify a webhook endpoint',
  description:
    'Sends a signed `webhook.endpoint_verification` event with a random `challenge`. The endpoint must return 2xx with ' +
    `\`{"challenge": ...}\` within ${WEBHOOK_RESPONSE_SECONDS} seconds. Held deliveries are sent after verification. ` +
    'A merchant may start 10 verifications per minute and host.',
  credential: mayWrite,
  answers: anEndpoint,
  errors: ['ENDPOINT_VERIFICATION_FAILED'],
});

export const changeWebhookEndpoint = api.patch('changeWebhookEndpoint', '/v1/webhooks/endpoints/:id', {
  summary: 'Update a webhook endpoint',
  description:
    'A changed URL must be verified again. A merchant may have one unverified endpoint per host and port. Deliveries that were held while the endpoint was disabled wait until you call `recover`, also after `isActive` is true again.',
  credential: mayWrite,
  body: changeEndpointRequestSchema,
  answers: anEndpoint,
  errors: ['ENDPOINT_HOST_UNVERIFIED'],
});

export const rotateWebhookSecret = api.post('rotateWebhookSecret', '/v1/webhooks/endpoints/:id/rotate-secret', {
  summary: 'Rotate the secret of a webhook endpoint',
  description:
    'During the overlap `webhook-signature` contains one signature per secret, `X-Webhook-Signature` uses the old secret, and ' +
    '`X-Webhook-Signature-Next` uses the new secret.',
  credential: mayWrite,
  body: rotateSecretRequestSchema,
  answers: anEndpoint,
});

export const finishSecretRotation = api.post(
  'finishSecretRotation',
  '/v1/webhooks/endpoints/:id/rotate-secret/finish',
  {
    summary: 'End a secret rotation',
    description: 'Only the new secret signs from then on. Has no effect if no rotation is in progress.',
    credential: mayWrite,
    answers: anEndpoint,
  },
);

export const testWebhookEndpoint = api.post('testWebhookEndpoint', '/v1/webhooks/endpoints/:id/test', {
  summary: 'Send a test event',
  description:
    'Creates a delivery of `webhook.test` that is signed, stored and retried like any other delivery. It does not refer to a payment.',
  credential: mayWrite,
  answers: { 200: { description: 'The queued delivery.', body: deliveryResponseSchema } },
  errors: ['ENDPOINT_NOT_ACTIVE'],
});

export const recoverWebhookEndpoint = api.post('recoverWebhookEndpoint', '/v1/webhooks/endpoints/:id/recover', {
  summary: 'Recover missed deliveries of an endpoint',
  description:
    'Sends failed and held deliveries again with their `X-Webhook-Id`, and creates deliveries for events that have none. Runs in ' +
    'the background, oldest event first. A further request while it runs restarts it from the earlier time. Deliveries that were ' +
    'DELIVERED are not sent again: for events that your server has lost, read `/v1/events` or redeliver each one.',
  credential: mayWrite,
  body: recoverRequestSchema,
  answers: { 200: { description: 'The started recovery.', body: recoverySchema } },
  errors: ['ENDPOINT_NOT_ACTIVE', 'TIME_OUT_OF_RANGE'],
});

export const getWebhookRecovery = api.get('getWebhookRecovery', '/v1/webhooks/endpoints/:id/recover', {
  summary: 'Get the progress of the latest recovery',
  credential: mayRead,
  answers: { 200: { description: 'The latest recovery, or null.', body: latestRecoverySchema } },
});

export const getWebhookDelivery = api.get('getWebhookDelivery', '/v1/webhooks/deliveries/:id', {
  summary: 'Retrieve a webhook delivery with every attempt',
  description: 'Deliveries are kept for 31 days after they finish.',
  credential: mayRead,
  answers: { 200: { description: 'The delivery.', body: deliveryDetailSchema } },
});

export const redeliverWebhook = api.post('redeliverWebhook', '/v1/webhooks/deliveries/:id/redeliver', {
  summary: 'Redeliver a webhook',
  description:
    'Possible in every status, with the same `X-Webhook-Id` and body. Each request sends the delivery again and restarts its retry schedule.',
  credential: mayWrite,
  answers: { 200: { description: 'The queued delivery.', body: deliveryResponseSchema } },
  errors: ['ENDPOINT_NOT_ACTIVE'],
});
