import {
  dashboardOperations,
  decisionStatisticsSchema,
  paymentStatisticsSchema,
  webhookStatisticsSchema,
} from '@pay/contracts';
import type { Serve } from '@pay/http';
import { passOn } from '../clients/pass-on';
import type { Peers } from '../clients/service-clients';

export type StatisticsDeps = Pick<Peers, 'intentApi' | 'reconciler' | 'webhookDispatcher'>;

/** Read from the services that own the data. Nothing is stored here. */
export function mountStatistics(serve: Serve, { intentApi, reconciler, webhookDispatcher }: StatisticsDeps): void {
  const { getPaymentStatistics, getDecisionStatistics, getWebhookStatistics } = dashboardOperations;
  serve(getPaymentStatistics, passOn(intentApi, 'payment-statistics', paymentStatisticsSchema));
  serve(getDecisionStatistics, passOn(reconciler, 'decision-statistics', decisionStatisticsSchema));
  serve(getWebhookStatistics, passOn(webhookDispatcher, 'webhook-statistics', webhookStatisticsSchema));
}
