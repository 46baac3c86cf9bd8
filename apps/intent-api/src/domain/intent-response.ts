import { lastChoiceOf, type IntentResponse } from '@pay/contracts';
import type { StoredIntent } from './stored-intent';

/** The checkout URL contains a language only if the create request had one. */
export function intentResponse(checkoutUrl: string, { environment, intent, paidTrxId }: StoredIntent): IntentResponse {
  const chosen = lastChoiceOf(intent);
  return {
    id: intent.id,
    environment,
    amount: intent.amount,
    currency: intent.currency,
    status: intent.status,
    customerReference: intent.customerReference,
    merchantReference: intent.merchantReference,
    paymentMethod: intent.paymentMethod,
    receiverMsisdn: intent.receiverMsisdn,
    chosenPaymentMethod: chosen.paymentMethod,
    chosenReceiverMsisdn: chosen.receiverMsisdn,
    checkoutUrl: `${checkoutUrl}/${intent.id}${intent.language === null ? '' : `?language=${intent.language}`}`,
    expiresAt: intent.expiresAt,
    createdAt: intent.createdAt,
    paidAt: intent.paidAt,
    trxId: paidTrxId ?? null,
    expiredAt: intent.expiredAt ?? null,
    failedAt: intent.failedAt ?? null,
    rejectedAt: intent.rejectedAt ?? null,
    reviewRequiredAt: intent.reviewRequiredAt ?? null,
    failureReason: intent.failureReason ?? null,
    metadata: intent.metadata,
  };
}
