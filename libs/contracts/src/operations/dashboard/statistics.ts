import {
  decisionStatisticsSchema,
  paymentStatisticsSchema,
  statisticsQuerySchema,
  webhookStatisticsSchema,
} from '../../http/statistics';
import { ANYBODY, section } from './common';

const api = section('Statistics');

export const getPaymentStatistics = api.get('getPaymentStatistics', '/v1/dashboard/statistics/payments', {
  summary: "Compare today's payments with the same weekday of the week before",
  credential: ANYBODY,
  query: statisticsQuerySchema,
  answers: { 200: { description: 'Both days and the intents by status.', body: paymentStatisticsSchema } },
});

export const getDecisionStatistics = api.get('getDecisionStatistics', '/v1/dashboard/statistics/decisions', {
  summary: 'Get the speed and automation of the latest decisions',
  description: 'A decision is included some seconds after it was made.',
  credential: ANYBODY,
  query: statisticsQuerySchema,
  answers: { 200: { description: 'The latest decisions in numbers.', body: decisionStatisticsSchema } },
});

export const getWebhookStatistics = api.get('getWebhookStatistics', '/v1/dashboard/statistics/webhooks', {
  summary: 'Get the health of endpoints and deliveries',
  description: 'Numbers of deliveries are exact up to 10,000.',
  credential: ANYBODY,
  query: statisticsQuerySchema,
  answers: { 200: { description: 'Endpoints and deliveries in numbers.', body: webhookStatisticsSchema } },
});
