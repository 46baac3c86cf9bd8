import { pageOf, pageQuerySchema } from '../http/pagination';
import {
  deliveryQuerySchema,
  deliveryResponseSchema,
  endpointResponseSchema,
  registerEndpointRequestSchema,
} from '../http/webhooks';
import { operations } from './operation';

const mayRead = { kind: 'apiKey', scope: 'webhooks:read' } as const;
const mayWrite = { kind: 'apiKey', scope: 'webhooks:write' } as const;

const api = operations({ service: 'webhook-dispatcher', tag: 'Webhooks' });

export const registerWebhookEndpoint = api.post('registerWebhookEndpoint', '/v1/webhooks/endpoints', {
  summary: 'Register a webhook endpoint',
  description:
    'The URL must be public, and https in LIVE. A merchant may have 16 endpoints per environment, and one unverified endpoint per ' +
    'host and port. The host of an unverified SANDBOX endpoint receives at most 60 requests per minute.',
  credential: mayWrite,
  body: registerEndpointRequestSchema,
  answers: { 201: { description: 'The endpoint without its secret.', body: endpointResponseSchema } },
  errors: ['ENDPOINT_LIMIT_REACHED', 'ENDPOINT_HOST_UNVERIFIED'],
});

export const listWebhookEndpoints = api.get('listWebhookEndpoints', '/v1/webhooks/endpoints', {
  summary: 'List webhook endpoints, newest first',
  credential: mayRead,
  query: pageQuerySchema,
  answers: { 200: { description: 'A page of results.', body: pageOf(endpointResponseSchema) } },
});

export const getWebhookEndpoint = api.get('getWebhookEndpoint', '/v1/webhooks/endpoints/:id', {
  summary: 'Retrieve a webhook endpoint',
  credential: mayRead,
  answers: { 200: { description: 'The endpoint.', body: endpointResponseSchema } },
});

export const deleteWebhookEndpoint = api.delete('deleteWebhookEndpoint', '/v1/webhooks/endpoints/:id', {
  summary: 'Delete a webhook endpoint',
  description: 'No further webhooks are sent, except a request already in progress. Existing deliveries stay listed.',
  credential: mayWrite,
  answers: { 204: { description: 'The endpoint is deleted.' } },
});

export const listWebhookDeliveries = api.get('listWebhookDeliveries', '/v1/webhooks/deliveries', {
  summary: 'List webhook deliveries, newest first',
  credential: mayRead,
  query: deliveryQuerySchema,
  answers: { 200: { description: 'A page of results.', body: pageOf(deliveryResponseSchema) } },
});
