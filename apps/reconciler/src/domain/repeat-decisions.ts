import type { Arrival } from './arrivals';
import type { MatchingSession } from './matching-session';
import { matchDecision } from './match-decision';

/** Repeats the decision about each text and claim whose owner lacks it, unless this batch publishes one. */
export function repeatDecisions({ workingSet, result }: MatchingSession, arrivals: readonly Arrival[]): void {
  // checkout-api ignores a decision that includes fewer submissions than it has stored.
  const includesMore = new Set(
    workingSet.claims
      .changed()
      .flatMap(({ before, after }) => (before.submissions === after.submissions ? [] : [after.id])),
  );
  for (const arrival of arrivals) {
    if (arrival.kind === 'sms' && arrival.decisionMissing === true) {
      const { smsEventId, ingestedAt } = arrival.evidence;
      const match = workingSet.matches.get(smsEventId);
      if (match === undefined || result.matches.some(({ sms }) => sms?.id === smsEventId)) continue;
      const evidence = workingSet.evidence.get(smsEventId);
      const decision = { decisionId: match.id, evidence, ingestedAt, moved: undefined, concernsSms: true };
      result.repeated.matches.push(matchDecision(match, decision));
    }
    if (arrival.kind === 'claim' && (arrival.decisionMissing === true || includesMore.has(arrival.claim.id))) {
      const claim = workingSet.claims.get(arrival.claim.id);
      if (claim === undefined || result.claims.some(({ id }) => id === claim.id)) continue;
      result.repeated.claims.push(claim);
    }
  }
}
