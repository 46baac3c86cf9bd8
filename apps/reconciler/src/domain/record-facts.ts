import { compareSequences, isSamePair, latestEpoch } from '@pay/contracts';
import type { Arrival, ClaimArrival } from './arrivals';
import { evidenceLeadingTo, type MatchingSession } from './matching-session';
import type { Intent } from './facts';
import { newClaim, recordClaim } from './record-claims';
import { recordTexts } from './record-texts';

/** Adds all arrivals to the working set and queues the evidence that they may affect. */
export function recordFacts(session: MatchingSession, arrivals: readonly Arrival[]): void {
  for (const arrival of arrivals) if (arrival.kind === 'intent') recordIntent(session, arrival.intent);
  const claims = arrivals.filter((arrival) => arrival.kind === 'claim');
  // Submissions of one claim by their numbers, because those after a gap are not counted. One without a number is the
  // last, because it ends the count.
  for (const { tenant, claim } of claims.toSorted((one, other) => firstOf(one) - firstOf(other)))
    recordClaim(session, tenant, claim);
  recordTexts(session, arrivals);
}

function firstOf({ claim }: ClaimArrival): number {
  return claim.submissionNumbers?.first ?? Number.MAX_SAFE_INTEGER;
}

function recordIntent({ workingSet, queue, result }: MatchingSession, fact: Intent): void {
  const known = workingSet.intents.get(fact.id);
  if (known === undefined) {
    workingSet.intents.put({ ...fact, decisionSequence: 0 });
  } else if (compareSequences(sourceOf(fact), sourceOf(known)) > 0) {
    const { shownReceivers, sourceSequence } = fact;
    const expiresAt = fact.expiresAt < known.expiresAt ? fact.expiresAt : known.expiresAt;
    const sourceEpoch = latestEpoch(sourceOf(fact), sourceOf(known)) ?? undefined;
    workingSet.intents.put({ ...known, shownReceivers, expiresAt, sourceSequence, sourceEpoch });
  } else {
    if (isSamePair(sourceOf(fact), sourceOf(known)) && !saysTheSame(fact, known)) {
      const { id, sourceEpoch, sourceSequence: sequence } = fact;
      result.conflicts.push({ subject: 'intent', id, epoch: sourceEpoch ?? null, sequence });
    }
    return;
  }
  if (fact.expectedTrxId !== undefined && workingSet.claims.get(fact.id) === undefined) {
    workingSet.claims.put(
      newClaim({
        id: fact.id,
        tenant: fact.tenant,
        intentId: fact.id,
        trxId: fact.expectedTrxId,
        submittedAt: fact.createdAt,
        payerDigits: undefined,
        source: 'EXPECTED',
      }),
    );
  }
  for (const evidence of evidenceLeadingTo(workingSet, fact)) queue.add(evidence.smsEventId);
}

/** The epoch and sequence of the stored facts of an intent. */
export function sourceOf({ sourceEpoch, sourceSequence }: Intent) {
  return { epoch: sourceEpoch, sequence: sourceSequence };
}

function saysTheSame(one: Intent, other: Intent): boolean {
  const receiversOf = ({ shownReceivers }: Intent) =>
    shownReceivers.map(({ receiverAccountId, paymentMethod }) => `${paymentMethod} ${receiverAccountId}`).join();
  return (
    one.amount === other.amount && one.referenceKey === other.referenceKey && receiversOf(one) === receiversOf(other)
  );
}
