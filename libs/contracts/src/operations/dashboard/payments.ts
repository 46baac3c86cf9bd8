import { paymentListQuerySchema, paymentPageSchema, paymentResponseSchema } from '../../http/payments';
import { operation } from '../operation';
import { ANYBODY, page, params, service } from './common';

const tag = 'Payments';

export const listPayments = operation({
  id: 'listPayments',
  service,
  method: 'get',
  path: '/v1/dashboard/payments',
  tag,
  summary: 'List payment intents of one environment',
  description:
    'Use `after` to read further pages. `total` is exact without filters and with filters by status and method; with other filters ' +
    'it is exact up to 10,000.',
  credential: ANYBODY,
  query: paymentListQuerySchema,
  answers: { 200: { description: page, body: paymentPageSchema } },
});

export const getPayment = operation({
  id: 'getPayment',
  service,
  method: 'get',
  path: '/v1/dashboard/payments/:id',
  tag,
  summary: 'Retrieve a payment intent with all its fields',
  credential: ANYBODY,
  params,
  answers: { 200: { description: 'The intent.', body: paymentResponseSchema } },
});
