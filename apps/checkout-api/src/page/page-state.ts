import type { CheckoutView } from '@pay/contracts';

/** Steps that a link can request. */
export const STEPS = ['choose', 'pay', 'trx', 'cancelled'] as const;
export type Step = (typeof STEPS)[number];

/** Notices are part of the URL after a form, so they contain nothing confidential. */
export const NOTICES = [
  'choose',
  'method_unavailable',
  'method_fixed',
  'malformed',
  'malformed_digits',
  'used',
  'kept_late',
  'not_pending',
  'busy',
] as const;
export type Notice = (typeof NOTICES)[number];

export type OutcomeName =
  'paid' | 'review' | 'expired' | 'failed' | 'rejected' | 'cancelled' | 'checking' | 'waiting' | 'unavailable';

export type Stage = 'choose' | 'pay' | OutcomeName;

const OUTCOMES = {
  PAID: 'paid',
  REVIEW_REQUIRED: 'review',
  EXPIRED: 'expired',
  FAILED: 'failed',
  REJECTED: 'rejected',
} as const satisfies Record<Exclude<CheckoutView['status'], 'PENDING'>, OutcomeName>;

export function isOutcome(stage: Stage): stage is OutcomeName {
  return stage !== 'choose' && stage !== 'pay';
}

/** The payment of an expired intent may still arrive or is under review, so the customer must not pay again. */
export function isKeptLate({ status, claim }: Pick<CheckoutView, 'status' | 'claim'>): boolean {
  return status === 'EXPIRED' && (claim === 'waiting' || claim === 'late');
}

/** An outcome takes precedence over the step of the link: a bookmarked URL must not hide that the payment arrived. */
export function stageOf(view: CheckoutView, step: Step | undefined): Stage {
  if (view.status !== 'PENDING') return OUTCOMES[view.status];
  if (step === 'cancelled') return 'cancelled';
  if (Date.parse(view.expiresAt) <= Date.parse(view.serverTime)) return 'checking';
  if (view.paymentMethod === null && view.paymentMethods.length === 0) return 'unavailable';
  if (view.paymentMethod === null || view.receiverMsisdn === null) return 'choose';
  if (step === 'choose' && view.paymentMethods.length > 1) return 'choose';
  return view.claim === 'waiting' && step === undefined ? 'waiting' : 'pay';
}
