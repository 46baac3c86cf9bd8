import type { IntentSnapshot, IntentStatus } from '@pay/contracts';

type RedirectStatus = IntentStatus | 'CANCELLED';

/** Where the customer goes after an outcome (spec section 4.6); null when the merchant gave no address for it. */
export function redirectAfter(intent: IntentSnapshot, status: RedirectStatus): string | null {
  const target = addressFor(intent, status);
  return target === null ? null : withOutcome(target, intent, status);
}

/**
 * Where cancelling leads. An intent that is still open stays open and leads to `cancelUrl`; one that has an outcome
 * leads where the outcome does, because a shop must not be told CANCELLED about an order that is paid.
 */
export function redirectAfterCancel(intent: IntentSnapshot): string | null {
  return redirectAfter(intent, isOpen(intent) ? 'CANCELLED' : intent.status);
}

export function isOpen({ status }: Pick<IntentSnapshot, 'status'>): boolean {
  return status === 'PENDING' || status === 'REVIEW_REQUIRED';
}

function addressFor(intent: IntentSnapshot, status: RedirectStatus): string | null {
  switch (status) {
    case 'PAID':
      return intent.successUrl;
    case 'FAILED':
    case 'REJECTED':
      return intent.failedUrl;
    case 'EXPIRED':
      return intent.expiredUrl;
    case 'CANCELLED':
      return intent.cancelUrl;
    case 'PENDING':
    case 'REVIEW_REQUIRED':
      return null;
  }
}

/** The merchant's own query stays as it was written; ours is appended to it. */
function withOutcome(target: string, intent: IntentSnapshot, status: RedirectStatus): string {
  const url = new URL(target);
  const outcome = new URLSearchParams({
    payment_intent_id: intent.id,
    status,
    customer_reference: intent.customerReference,
    merchant_reference: intent.merchantReference ?? '',
  });
  url.search = url.search === '' ? outcome.toString() : `${url.search}&${outcome.toString()}`;
  return url.href;
}
