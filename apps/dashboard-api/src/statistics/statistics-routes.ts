import {
  dashboardOperations,
  decisionStatisticsSchema,
  paymentStatisticsSchema,
  webhookStatisticsSchema,
  type StatisticsQuery,
} from '@pay/contracts';
import type { Serve, Session } from '@pay/http';
import { answerOf } from '../clients/answer-of';
import type { Peers } from '../clients/service-clients';

export type StatisticsDeps = Pick<Peers, 'intentApi' | 'reconciler' | 'webhookDispatcher'>;

/** Read from the services that own the data. Nothing is stored here. */
export function mountStatistics(serve: Serve, deps: StatisticsDeps): void {
  const { intentApi, reconciler, webhookDispatcher } = deps;
  const pathOf = (name: string, { environment }: StatisticsQuery, { merchantId }: Session) =>
    `/internal/v1/${name}?${new URLSearchParams({ merchantId, environment }).toString()}`;
  serve(dashboardOperations.getPaymentStatistics, ({ session, query }) => {
    const path = pathOf('payment-statistics', query, session);
    return answerOf(intentApi.request('GET', path, { schema: paymentStatisticsSchema }));
  });
  serve(dashboardOperations.getDecisionStatistics, ({ session, query }) => {
    const path = pathOf('decision-statistics', query, session);
    return answerOf(reconciler.request('GET', path, { schema: decisionStatisticsSchema }));
  });
  serve(dashboardOperations.getWebhookStatistics, ({ session, query }) => {
    const path = pathOf('webhook-statistics', query, session);
    return answerOf(webhookDispatcher.request('GET', path, { schema: webhookStatisticsSchema }));
  });
}
