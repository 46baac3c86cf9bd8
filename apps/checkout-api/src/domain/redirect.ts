import type { IntentSnapshot, IntentStatus } from '@pay/contracts';

type RedirectStatus = IntentStatus | 'CANCELLED';

/** Null if the merchant gave no URL for the outcome. */
export function redirectAfter(intent: IntentSnapshot, status: RedirectStatus): string | null {
  const target = addressFor(intent, status);
  return target === null ? null : withOutcome(target, intent, status);
}

/**
 * The redirect after cancelling: `cancelUrl` for an open intent, which stays open. An intent with an outcome redirects
 * like the outcome, because a shop must not receive CANCELLED for a paid order.
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

/** Appends four parameters and leaves the merchant's query unchanged. */
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
