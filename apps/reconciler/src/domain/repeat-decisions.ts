import type { Arrival } from './arrivals';
import type { Court } from './court';
import { rulingOn } from './ruling-on';

/** Repeats the decision about each text and claim whose owner has none, unless this batch has announced one. */
export function repeatDecisions({ docket, rulings }: Court, arrivals: readonly Arrival[]): void {
  for (const arrival of arrivals) {
    if (arrival.kind === 'sms' && arrival.decisionMissing === true) {
      const { smsEventId, ingestedAt } = arrival.evidence;
      const match = docket.matches.get(smsEventId);
      if (match === undefined || rulings.matches.some(({ sms }) => sms?.id === smsEventId)) continue;
      const evidence = docket.evidence.get(smsEventId);
      const ruling = { decisionId: match.id, evidence, ingestedAt, moved: undefined, concernsSms: true };
      rulings.repeated.matches.push(rulingOn(match, ruling));
    }
    if (arrival.kind === 'claim' && arrival.decisionMissing === true) {
      const claim = docket.claims.get(arrival.claim.id);
      if (claim === undefined || rulings.claims.some(({ id }) => id === claim.id)) continue;
      rulings.repeated.claims.push(claim);
    }
  }
}
