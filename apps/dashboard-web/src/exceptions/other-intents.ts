import type { ExceptionDetails } from '@pay/contracts';

/**
 * Intents in review that only a rejection by name decides: the decisions about the exception do not concern them, or it
 * is closed.
 */
export function intentsToReject({
  status,
  paymentIntentId,
  intentStatus,
  candidates,
}: Pick<ExceptionDetails, 'status' | 'paymentIntentId' | 'intentStatus' | 'candidates'>): readonly string[] {
  const own = paymentIntentId !== null && intentStatus === 'REVIEW_REQUIRED' ? [paymentIntentId] : [];
  const inReview = candidates.flatMap((candidate) =>
    candidate.intent?.status === 'REVIEW_REQUIRED' ? [candidate.paymentIntentId] : [],
  );
  return [...new Set([...own, ...inReview])].filter((id) => status === 'CLOSED' || id !== paymentIntentId);
}

/** Intents that the rules or a suggestion name, without the one that the exception belongs to. */
export function otherIntentsOf({
  paymentIntentId,
  candidates,
  suggestions,
}: Pick<ExceptionDetails, 'paymentIntentId' | 'candidates' | 'suggestions'>): readonly string[] {
  const named = [
    ...candidates.map((candidate) => candidate.paymentIntentId),
    ...suggestions.flatMap(({ paymentIntentIds }) => paymentIntentIds),
  ];
  return [...new Set(named)].filter((id) => id !== paymentIntentId);
}

/** Reasons and doubts of an intent as a candidate for the text; empty if only a suggestion names it. */
export function candidateReasons(
  { candidates }: Pick<ExceptionDetails, 'candidates'>,
  intentId: string,
): readonly string[] {
  const reasons = candidates.flatMap(({ paymentIntentId, reason, doubts }) =>
    paymentIntentId === intentId ? [reason, ...doubts] : [],
  );
  return [...new Set(reasons)];
}
