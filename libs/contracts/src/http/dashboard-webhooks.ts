import { z } from 'zod';
import { environmentSchema } from '../environment';
import { pageQuerySchema } from './pagination';
import { requestBody } from './request-body';
import { deliveryDetailSchema, rotateSecretRequestSchema } from './webhook-management';
import { deliveryQuerySchema, endpointResponseSchema, registerEndpointRequestSchema } from './webhooks';
import { environmentOrSandbox, requiredEnvironment } from './request-fields';

const ofOneEnvironment = {
  environment: environmentOrSandbox.describe('SANDBOX and LIVE are never listed together. Default: SANDBOX.'),
};

/** Query of GET /v1/dashboard/webhook-endpoints. */
export const endpointListQuerySchema = pageQuerySchema.extend(ofOneEnvironment);

/** Query of GET /v1/dashboard/webhook-deliveries. */
export const deliveryListQuerySchema = deliveryQuerySchema.extend(ofOneEnvironment);

/** Body of POST /v1/dashboard/webhook-endpoints. The secret is generated. */
export const createEndpointRequestSchema = requestBody({
  environment: requiredEnvironment,
  url: registerEndpointRequestSchema.shape.url,
  eventTypes: registerEndpointRequestSchema.shape.eventTypes,
}).meta({
  if: { properties: { environment: { const: 'LIVE' } } },
  then: { properties: { url: { pattern: '^[Hh][Tt][Tt][Pp][Ss]://' } } },
});

/** Body of POST /v1/dashboard/webhook-endpoints/:id/rotate-secret. The new secret is generated. */
export const rotateEndpointSecretRequestSchema = requestBody({
  overlapSeconds: rotateSecretRequestSchema.shape.overlapSeconds,
});

/** `secret` is returned only here. */
export const endpointWithSecretSchema = endpointResponseSchema
  .extend({ secret: z.string().meta({ description: 'Secret that signs the webhooks, returned only here.' }) })
  .meta({ id: 'WebhookEndpointWithSecret' });

/** GET /v1/dashboard/webhook-deliveries/:id */
export const dashboardDeliverySchema = deliveryDetailSchema
  .extend({ environment: environmentSchema })
  .meta({ id: 'DashboardWebhookDelivery' });
export type DashboardDelivery = z.infer<typeof dashboardDeliverySchema>;

/**
 * webhook-dispatcher: to which environment an endpoint or a delivery of a merchant belongs; 404 for those of others.
 */
export const webhookOwnerQuerySchema = z.object({ merchantId: z.uuid() });
export const webhookOwnerSchema = z.object({ environment: environmentSchema });
