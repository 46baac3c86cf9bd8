import type { ExceptionDetails } from '@pay/contracts';

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
