import { dashboardOperations, internalIntentSchema, paymentPageSchema, BusinessError } from '@pay/contracts';
import type { Serve } from '@pay/http';
import { answerOf } from '../clients/answer-of';
import { withQuery } from '../clients/with-query';
import { searchPayments, type SearchPaymentsDeps } from './search-payments';

export function mountPayments(serve: Serve, deps: SearchPaymentsDeps): void {
  const { intentApi } = deps;
  serve(dashboardOperations.listPayments, async ({ session, query }) => {
    const path = withQuery('/internal/v1/intents', { ...query, merchantId: session.merchantId });
    return answerOf(intentApi.request('GET', path, { schema: paymentPageSchema }));
  });
  serve(dashboardOperations.searchPayments, ({ session, query }) => searchPayments(deps, session.merchantId, query));
  serve(dashboardOperations.getPayment, async ({ session, params }) => {
    const path = `/internal/v1/intents/${params.id}`;
    const { merchantId, environment, intent } = await answerOf(
      intentApi.request('GET', path, { schema: internalIntentSchema }),
    );
    if (merchantId !== session.merchantId) throw new BusinessError('NOT_FOUND');
    return { environment, intent };
  });
}
