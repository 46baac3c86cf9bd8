import {
  dashboardOperations,
  decisionStatisticsSchema,
  paymentStatisticsSchema,
  webhookStatisticsSchema,
  type StatisticsQuery,
} from '@pay/contracts';
import { sessionOf, type Serve } from '@pay/http';
import type { Response } from 'express';
import { answerOf } from '../clients/answer-of';
import type { Peers } from '../clients/service-clients';

export type StatisticsDeps = Pick<Peers, 'intentApi' | 'reconciler' | 'webhookDispatcher'>;

/** Read from the services that own the data. Nothing is stored here. */
export function mountStatistics(serve: Serve, deps: StatisticsDeps): void {
  const { intentApi, reconciler, webhookDispatcher } = deps;
  const pathOf = (name: string, { environment }: StatisticsQuery, res: Response) => {
    const { merchantId } = sessionOf(res);
    return `/internal/v1/${name}?${new URLSearchParams({ merchantId, environment }).toString()}`;
  };
  serve(dashboardOperations.getPaymentStatistics, async ({ query, res }) => {
    const path = pathOf('payment-statistics', query, res);
    return { status: 200, body: await answerOf(intentApi.request('GET', path, { schema: paymentStatisticsSchema })) };
  });
  serve(dashboardOperations.getDecisionStatistics, async ({ query, res }) => {
    const path = pathOf('decision-statistics', query, res);
    return { status: 200, body: await answerOf(reconciler.request('GET', path, { schema: decisionStatisticsSchema })) };
  });
  serve(dashboardOperations.getWebhookStatistics, async ({ query, res }) => {
    const path = pathOf('webhook-statistics', query, res);
    const asked = webhookDispatcher.request('GET', path, { schema: webhookStatisticsSchema });
    return { status: 200, body: await answerOf(asked) };
  });
}
