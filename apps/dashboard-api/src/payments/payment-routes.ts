import { dashboardOperations, internalIntentSchema, paymentPageSchema, BusinessError } from '@pay/contracts';
import { sessionOf, type operationServer, type ServiceClient } from '@pay/http';
import { answerOf } from '../clients/answer-of';
import { searchPayments, type SearchPaymentsDeps } from './search-payments';

export interface PaymentRouteDeps extends SearchPaymentsDeps {
  readonly intentApi: Pick<ServiceClient, 'request'>;
}

export function mountPayments(serve: ReturnType<typeof operationServer>, deps: PaymentRouteDeps): void {
  const { intentApi } = deps;
  serve(dashboardOperations.listPayments, async ({ query, res }) => {
    const { merchantId } = sessionOf(res);
    const given = Object.entries({ ...query, merchantId }).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    const path = `/internal/v1/intents?${search.toString()}`;
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
