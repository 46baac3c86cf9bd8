import type { Arrival } from './arrivals';
import type { MatchingSession } from './matching-session';
import { matchDecision } from './match-decision';

/** Repeats the decision about each text and claim whose owner lacks it, unless this batch publishes it. */
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
      const published = [...result.matches, ...result.repeated.matches];
      if (match === undefined || published.some(({ sms }) => sms?.id === smsEventId)) continue;
      const evidence = workingSet.evidence.get(smsEventId);
      const decision = { decisionId: match.id, evidence, ingestedAt, moved: undefined, concernsSms: true };
      result.repeated.matches.push(matchDecision(match, decision));
    }
    if (arrival.kind === 'claim' && (arrival.decisionMissing === true || includesMore.has(arrival.claim.id))) {
      const claim = workingSet.claims.get(arrival.claim.id);
      const published = [...result.claims, ...result.repeated.claims].filter(({ id }) => id === arrival.claim.id);
      if (claim === undefined || published.some(({ submissions }) => submissions === claim.submissions)) continue;
      result.repeated.claims.push(claim);
    }
  }
}
