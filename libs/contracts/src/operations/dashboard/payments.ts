import { paymentListQuerySchema, paymentPageSchema, paymentResponseSchema } from '../../http/payments';
import { ANYBODY, page, section } from './common';

const api = section('Payments');

export const listPayments = api.get('listPayments', '/v1/dashboard/payments', {
  summary: 'List payment intents of one environment',
  description:
    'Use `after` to read further pages. `total` is exact without filters and with filters by status and method; with other filters ' +
    'it is exact up to 10,000.',
  credential: ANYBODY,
  query: paymentListQuerySchema,
  answers: { 200: { description: page, body: paymentPageSchema } },
});

export const getPayment = api.get('getPayment', '/v1/dashboard/payments/:id', {
  summary: 'Retrieve a payment intent with all its fields',
  credential: ANYBODY,
  answers: { 200: { description: 'The intent.', body: paymentResponseSchema } },
});
