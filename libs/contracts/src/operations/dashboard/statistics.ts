import {
  decisionStatisticsSchema,
  paymentStatisticsSchema,
  statisticsQuerySchema,
  webhookStatisticsSchema,
} from '../../http/statistics';
import { operation } from '../operation';
import { ANYBODY, service } from './common';

const tag = 'Statistics';

export const getPaymentStatistics = operation({
  id: 'getPaymentStatistics',
  service,
  method: 'get',
  path: '/v1/dashboard/statistics/payments',
  tag,
  summary: "Compare today's payments with the same weekday of the week before",
  credential: ANYBODY,
  query: statisticsQuerySchema,
  answers: { 200: { description: 'Both days and the intents by status.', body: paymentStatisticsSchema } },
});

export const getDecisionStatistics = operation({
  id: 'getDecisionStatistics',
  service,
  method: 'get',
  path: '/v1/dashboard/statistics/decisions',
  tag,
  summary: 'Get the speed and automation of the latest decisions',
  description: 'A decision is included some seconds after it was made.',
  credential: ANYBODY,
  query: statisticsQuerySchema,
  answers: { 200: { description: 'The latest decisions in numbers.', body: decisionStatisticsSchema } },
});

export const getWebhookStatistics = operation({
  id: 'getWebhookStatistics',
  service,
  method: 'get',
  path: '/v1/dashboard/statistics/webhooks',
  tag,
  summary: 'Get the health of endpoints and deliveries',
  description: 'Numbers of deliveries are exact up to 10,000.',
  credential: ANYBODY,
  query: statisticsQuerySchema,
  answers: { 200: { description: 'Endpoints and deliveries in numbers.', body: webhookStatisticsSchema } },
});
