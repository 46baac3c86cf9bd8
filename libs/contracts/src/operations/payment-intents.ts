import { z } from 'zod';
import { pageOf } from '../http/pagination';
import { createIntentRequestSchema, intentResponseSchema, listIntentsQuerySchema } from '../http/payment-intents';
import { operation } from './operation';

const tag = 'Payment intents';

export const createPaymentIntent = operation({
  id: 'createPaymentIntent',
  service: 'intent-api',
  method: 'post',
  path: '/v1/payments/intents',
  tag,
  summary: 'Create a payment intent',
  credential: { kind: 'apiKey', scope: 'payments:write' },
  body: createIntentRequestSchema,
  answers: {
    201: {
      description: 'The intent. A repeated request returns the existing intent in its current state.',
      body: intentResponseSchema,
      headers: { 'Idempotent-Replayed': '`true` when the intent was created by an earlier request with the same key.' },
    },
  },
  errors: ['CUSTOMER_REFERENCE_TAKEN', 'IDEMPOTENCY_KEY_REUSED', 'RECEIVER_ACCOUNT_NOT_CONFIGURED'],
});

export const listPaymentIntents = operation({
  id: 'listPaymentIntents',
  service: 'intent-api',
  method: 'get',
  path: '/v1/payments/intents',
  tag,
  summary: 'List payment intents, newest first',
  credential: { kind: 'apiKey', scope: 'payments:read' },
  query: listIntentsQuerySchema,
  answers: { 200: { description: 'A page of intents.', body: pageOf(intentResponseSchema) } },
});

export const getPaymentIntent = operation({
  id: 'getPaymentIntent',
  service: 'intent-api',
  method: 'get',
  path: '/v1/payments/intents/:id',
  tag,
  summary: 'Retrieve a payment intent',
  credential: { kind: 'apiKey', scope: 'payments:read' },
  params: z.object({ id: z.uuid().toLowerCase() }),
  answers: { 200: { description: 'The intent.', body: intentResponseSchema } },
});
