import {
  foundByReconcilerSchema,
  foundPaymentsSchema,
  type SearchField,
  type SearchQuery,
  type SearchResponse,
} from '@pay/contracts';
import { answerOf } from '../clients/answer-of';
import type { Peers } from '../clients/service-clients';

export type SearchPaymentsDeps = Pick<Peers, 'intentApi' | 'reconciler'>;

/** intent-api also returns the intents that the reconciler has found. */
export async function searchPayments(
  { intentApi, reconciler }: SearchPaymentsDeps,
  merchantId: string,
  { environment, text }: SearchQuery,
): Promise<SearchResponse> {
  const pathOf = (more: Readonly<Record<string, string>>) =>
    `/internal/v1/search?${new URLSearchParams({ merchantId, environment, text, ...more }).toString()}`;
  const { intents, exceptions } = await answerOf(
    reconciler.request('GET', pathOf({}), { schema: foundByReconcilerSchema }),
  );
  const foundBy = new Map<string, SearchField>(intents.map((intent) => [intent.id, intent.foundBy]));
  const ids = [...foundBy.keys()].join(',');
  const { data } = await answerOf(intentApi.request('GET', pathOf({ ids }), { schema: foundPaymentsSchema }));
  const once = new Map(data.map((payment) => [payment.id, payment]));
  return {
    // Matches of the reconciler replace those of intent-api, because they are more specific.
    payments: [...once.values()].map((payment) => ({
      ...payment,
      foundBy: foundBy.get(payment.id) ?? payment.foundBy,
    })),
    exceptions,
  };
}
