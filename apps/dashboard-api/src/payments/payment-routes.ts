import { dashboardOperations, internalIntentSchema, paymentPageSchema, BusinessError } from '@pay/contracts';
import { sessionOf, type Serve } from '@pay/http';
import { answerOf } from '../clients/answer-of';
import { withQuery } from '../clients/with-query';
import { searchPayments, type SearchPaymentsDeps } from './search-payments';

export function mountPayments(serve: Serve, deps: SearchPaymentsDeps): void {
  const { intentApi } = deps;
  serve(dashboardOperations.listPayments, async ({ query, res }) => {
    const path = withQuery('/internal/v1/intents', { ...query, merchantId: sessionOf(res).merchantId });
    return { status: 200, body: await answerOf(intentApi.request('GET', path, { schema: paymentPageSchema })) };
  });
  serve(dashboardOperations.searchPayments, async ({ query, res }) => ({
    status: 200,
    body: await searchPayments(deps, sessionOf(res).merchantId, query),
  }));
  serve(dashboardOperations.getPayment, async ({ params, res }) => {
    const path = `/internal/v1/intents/${params.id}`;
    const { merchantId, environment, intent } = await answerOf(
      intentApi.request('GET', path, { schema: internalIntentSchema }),
    );
    if (merchantId !== sessionOf(res).merchantId) throw new BusinessError('NOT_FOUND');
    return { status: 200, body: { environment, intent } };
  });
}
