import { dashboardOperations, internalIntentSchema, paymentPageSchema, BusinessError } from '@pay/contracts';
import type { Serve } from '@pay/http';
import { answerOf } from '../clients/answer-of';
import { passOn } from '../clients/pass-on';
import { searchPayments, type SearchPaymentsDeps } from './search-payments';

export function mountPayments(serve: Serve, deps: SearchPaymentsDeps): void {
  const { intentApi } = deps;
  serve(dashboardOperations.listPayments, passOn(intentApi, 'intents', paymentPageSchema));
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
