import { z } from 'zod';
import { pageOf, pageQuerySchema } from '../http/pagination';
import {
  deliveryQuerySchema,
  deliveryResponseSchema,
  endpointResponseSchema,
  registerEndpointRequestSchema,
} from '../http/webhooks';
import { operation } from './operation';

const tag = 'Webhooks';
const mayRead = { kind: 'apiKey', scope: 'webhooks:read' } as const;
const mayWrite = { kind: 'apiKey', scope: 'webhooks:write' } as const;
const params = z.object({ id: z.uuid().toLowerCase() });

export const registerWebhookEndpoint = operation({
  id: 'registerWebhookEndpoint',
  service: 'webhook-dispatcher',
  method: 'post',
  path: '/v1/webhooks/endpoints',
  tag,
  summary: 'Register a webhook endpoint',
  description:
    'The URL must be public, and https in LIVE. A merchant may have 16 endpoints per environment, and one unverified endpoint per ' +
    'host and port. The host of an unverified SANDBOX endpoint receives at most 60 requests per minute.',
  credential: mayWrite,
  body: registerEndpointRequestSchema,
  answers: { 201: { description: 'The endpoint without its secret.', body: endpointResponseSchema } },
  errors: ['ENDPOINT_LIMIT_REACHED', 'ENDPOINT_HOST_UNVERIFIED'],
});

export const listWebhookEndpoints = operation({
  id: 'listWebhookEndpoints',
  service: 'webhook-dispatcher',
  method: 'get',
  path: '/v1/webhooks/endpoints',
  tag,
  summary: 'List webhook endpoints, newest first',
  credential: mayRead,
  query: pageQuerySchema,
  answers: { 200: { description: 'A page of results.', body: pageOf(endpointResponseSchema) } },
});

export const getWebhookEndpoint = operation({
  id: 'getWebhookEndpoint',
  service: 'webhook-dispatcher',
  method: 'get',
  path: '/v1/webhooks/endpoints/:id',
  tag,
  summary: 'Retrieve a webhook endpoint',
  credential: mayRead,
  params,
  answers: { 200: { description: 'The endpoint.', body: endpointResponseSchema } },
});

export const deleteWebhookEndpoint = operation({
  id: 'deleteWebhookEndpoint',
  service: 'webhook-dispatcher',
  method: 'delete',
  path: '/v1/webhooks/endpoints/:id',
  tag,
  summary: 'Delete a webhook endpoint',
  description: 'No further webhooks are sent, except a request already in progress. Existing deliveries stay listed.',
  credential: mayWrite,
  params,
  answers: { 204: { description: 'The endpoint is deleted.' } },
});

export const listWebhookDeliveries = operation({
  id: 'listWebhookDeliveries',
  service: 'webhook-dispatcher',
  method: 'get',
  path: '/v1/webhooks/deliveries',
  tag,
  summary: 'List webhook deliveries, newest first',
  credential: mayRead,
  query: deliveryQuerySchema,
  answers: { 200: { description: 'A page of results.', body: pageOf(deliveryResponseSchema) } },
});
