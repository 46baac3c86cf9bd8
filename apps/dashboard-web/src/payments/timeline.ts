import type { CheckoutActivity, EvidenceFile } from '@pay/contracts';

type DecidedParts = NonNullable<EvidenceFile['judgement']>;
type Webhook = NonNullable<EvidenceFile['webhooks']>[number];

type CheckoutEvent = 'viewed' | 'method' | 'cancelled' | 'returned';

/** One thing that happened to a payment. */
export type PaymentEvent = { readonly at: string; readonly key: string } & (
  | { readonly is: 'created' | 'paid' | 'expired' | 'failed' | 'rejected' | 'review' }
  | { readonly is: CheckoutEvent; readonly activity: CheckoutActivity }
  | { readonly is: 'sms'; readonly sms: DecidedParts['sms'][number] }
  | { readonly is: 'claim'; readonly claim: DecidedParts['claims'][number] }
  | { readonly is: 'decision'; readonly decision: DecidedParts['decisions'][number] }
  | { readonly is: 'webhook'; readonly webhook: Webhook }
  | { readonly is: 'attempt'; readonly webhook: Webhook; readonly attempt: Webhook['attempts'][number] }
);

const AT_CHECKOUT = {
  viewed: 'viewed',
  method_chosen: 'method',
  cancelled: 'cancelled',
  returned: 'returned',
} as const satisfies Record<CheckoutActivity['action'], CheckoutEvent>;
const MOVES = {
  paid: 'paidAt',
  expired: 'expiredAt',
  failed: 'failedAt',
  rejected: 'rejectedAt',
  review: 'reviewRequiredAt',
} as const;
/** Which of two events of the same moment comes first. */
const ORDER: readonly PaymentEvent['is'][] = [
  ...[
    'created',
    'viewed',
    'method',
    'sms',
    'claim',
    'decision',
    'review',
    'paid',
    'expired',
    'failed',
    'rejected',
    'webhook',
  ],
  ...['attempt', 'cancelled', 'returned'],
] as readonly PaymentEvent['is'][];

/** Everything that is known to have happened to a payment, oldest first. */
export function timelineOf({ payment, judgement, checkout, webhooks }: EvidenceFile): PaymentEvent[] {
  const events: PaymentEvent[] = [];
  if (payment) {
    events.push({ is: 'created', at: payment.createdAt, key: 'created' });
    for (const [is, field] of Object.entries(MOVES)) {
      const at = payment[field];
      if (at) events.push({ is: is as keyof typeof MOVES, at, key: is });
    }
  }
  for (const activity of checkout ?? []) {
    const { action, paymentMethod, outcome, firstAt, lastAt } = activity;
    const is = AT_CHECKOUT[action];
    // A method that the customer chose again later is listed twice.
    for (const at of new Set([firstAt, lastAt])) {
      events.push({ is, activity, at, key: [is, paymentMethod ?? outcome, at].join(' ') });
    }
  }
  for (const sms of judgement?.sms ?? []) events.push({ is: 'sms', sms, at: sms.ingestedAt, key: sms.smsEventId });
  for (const claim of judgement?.claims ?? []) {
    events.push({ is: 'claim', claim, at: claim.submittedAt, key: claim.id });
  }
  for (const decision of judgement?.decisions ?? []) {
    events.push({ is: 'decision', decision, at: decision.decidedAt, key: decision.id });
  }
  for (const webhook of webhooks ?? []) {
    events.push({ is: 'webhook', webhook, at: webhook.createdAt, key: webhook.id });
    for (const attempt of webhook.attempts) {
      events.push({ is: 'attempt', webhook, attempt, at: attempt.startedAt, key: `${webhook.id} ${attempt.attempt}` });
    }
  }
  return events.sort(
    (one, other) =>
      new Date(one.at).getTime() - new Date(other.at).getTime() || ORDER.indexOf(one.is) - ORDER.indexOf(other.is),
  );
}
