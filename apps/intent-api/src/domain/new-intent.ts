import { formatAmount, type CreateIntentRequest, type IntentSnapshot, type ReceiverAccountFact } from '@pay/contracts';

export interface NewIntentFacts {
  readonly id: string;
  readonly now: Date;
  readonly customerReference: string;
  /** Undefined until the customer chooses a method. */
  readonly receiver: ReceiverAccountFact | undefined;
}

export function newIntent(request: CreateIntentRequest, facts: NewIntentFacts): IntentSnapshot {
  const { receiver } = facts;
  return {
    id: facts.id,
    amount: formatAmount(request.amount),
    currency: request.currency,
    status: 'PENDING',
    customerReference: facts.customerReference,
    merchantReference: request.merchantReference ?? null,
    paymentMethod: receiver?.paymentMethod ?? null,
    receiverMsisdn: receiver?.msisdn ?? null,
    receiverAccountId: receiver?.id ?? null,
    chosenPaymentMethod: null,
    chosenReceiverMsisdn: null,
    shownReceivers: receiver ? [shown(receiver)] : [],
    methodFixed: request.paymentMethod !== undefined && request.paymentMethod !== null,
    expectedTrxId: request.expectedTrxId ?? null,
    expectedSenderMsisdn: request.expectedSenderMsisdn ?? null,
    customerId: request.customerId ?? null,
    language: request.language ?? null,
    successUrl: request.successUrl ?? null,
    failedUrl: request.failedUrl ?? null,
    cancelUrl: request.cancelUrl ?? null,
    expiredUrl: request.expiredUrl ?? null,
    metadata: request.metadata ?? null,
    createdAt: facts.now.toISOString(),
    expiresAt: new Date(facts.now.getTime() + request.ttlSeconds * 1000).toISOString(),
    paidAt: null,
    expiredAt: null,
    failedAt: null,
    rejectedAt: null,
    reviewRequiredAt: null,
    failureReason: null,
  };
}

function shown(receiver: ReceiverAccountFact): IntentSnapshot['shownReceivers'][number] {
  return { receiverAccountId: receiver.id, paymentMethod: receiver.paymentMethod, receiverMsisdn: receiver.msisdn };
}
