import { pageOf } from '../http/pagination';
import { createIntentRequestSchema, intentResponseSchema, listIntentsQuerySchema } from '../http/payment-intents';
import { operations } from './operation';

const api = operations({ service: 'intent-api', tag: 'Payment intents' });

export const createPaymentIntent = api.post('createPaymentIntent', '/v1/payments/intents', {
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

export const listPaymentIntents = api.get('listPaymentIntents', '/v1/payments/intents', {
  summary: 'List payment intents, newest first',
  credential: { kind: 'apiKey', scope: 'payments:read' },
  query: listIntentsQuerySchema,
  answers: { 200: { description: 'A page of intents.', body: pageOf(intentResponseSchema) } },
});

export const getPaymentIntent = api.get('getPaymentIntent', '/v1/payments/intents/:id', {
  summary: 'Retrieve a payment intent',
  credential: { kind: 'apiKey', scope: 'payments:read' },
  answers: { 200: { description: 'The intent.', body: intentResponseSchema } },
});
