import { compareSequences, isSamePair, type SequencePair } from '@pay/contracts';
import { applyMatch } from './apply-match';
import type { Arrival, SignalsArrival, SmsArrival } from './arrivals';
import type { MatchingSession } from './matching-session';
import type { Match } from './working-set';
import { isUnspent, type Evidence } from './facts';
import { keyOf } from './keys';
import { mayChangeAfterReparse } from './lifecycle';
import { refuse } from './decide-evidence';
import { keepInReview, replaceText } from './replace-text';

type SignalsRead = Pick<Evidence, 'signals' | 'signalsSequence' | 'signalsEpoch'>;
type UnparsedArrival = Extract<Arrival, { kind: 'unparsed' }>;

/** Adds texts with their current values and signals to the working set. */
export function recordTexts(session: MatchingSession, arrivals: readonly Arrival[]): void {
  for (const arrival of byIngestion(arrivals)) {
    if (arrival.kind === 'sms') recordSms(session, arrival);
    else recordUnparsed(session, arrival);
  }
  for (const arrival of arrivals) if (arrival.kind === 'signals') recordSignals(session, arrival);
}

function byIngestion(arrivals: readonly Arrival[]): (SmsArrival | UnparsedArrival)[] {
  const order = (arrival: SmsArrival | UnparsedArrival) => {
    const { ingestedAt, smsEventId } = arrival.kind === 'sms' ? arrival.evidence : arrival;
    return `${ingestedAt.toISOString()} ${smsEventId}`;
  };
  return arrivals
    .filter((arrival) => arrival.kind === 'sms' || arrival.kind === 'unparsed')
    .toSorted((one, other) => (order(one) < order(other) ? -1 : 1));
}

function recordUnparsed(session: MatchingSession, arrival: UnparsedArrival): void {
  const { smsEventId, tenant, ingestedAt, reason, sequence, epoch } = arrival;
  const known = session.workingSet.matches.get(smsEventId);
  // A text that was parsed once stays evidence: only a person may exclude it.
  if (known !== undefined && (known.status !== 'UNPARSED' || compareSequences(arrival, factsOf(known)) <= 0)) return;
  const subject = { smsEventId, tenant, ingestedAt, factsSequence: sequence, factsEpoch: epoch, evidence: undefined };
  applyMatch(session, subject, { kind: 'unparsed', reason }, []);
}

function recordSms(session: MatchingSession, { evidence: reading, tenant, decisionMissing }: SmsArrival): void {
  const { workingSet, queue, reparsed } = session;
  const { smsEventId } = reading;
  const known = workingSet.matches.get(smsEventId);
  const before = workingSet.evidence.get(smsEventId);
  const isRepeated = decisionMissing === true && before !== undefined && saysTheSame(reading, before);
  if (isRepeated || !isNewer(known, before, reading)) {
    if (before !== undefined) noteConflict(session, reading, before);
    return;
  }
  const evidence: Evidence = {
    ...reading,
    ...newestSignals(session, reading, before),
    authenticity: reading.authenticity ?? before?.authenticity,
    // Lateness depends on the time at which the text was received, not parsed.
    ingestedAt: before?.ingestedAt ?? reading.ingestedAt,
    revision: (known?.revision ?? 0) + 1,
    // After the match window only a person may use it.
    state: known?.windowEndedAt === undefined ? 'WAITING' : 'LAPSED',
  };
  if (known !== undefined) {
    reparsed.add(smsEventId);
    const { factsSequence, factsEpoch, revision } = evidence;
    workingSet.matches.put({ ...known, factsSequence, factsEpoch, revision });
  }
  if (before !== undefined && before.trxId !== evidence.trxId)
    session.invalidatedTrxIds.add(keyOf.trxId(tenant, before.trxId));
  const original = workingSet.evidence
    .find(keyOf.trxId(tenant, evidence.trxId))
    .find((other) => other.provider === evidence.provider && other.smsEventId !== smsEventId);
  const refusal = refusalOf(session, evidence, original);
  if (refusal?.kind === 'duplicate') workingSet.evidence.drop(smsEventId);
  else workingSet.evidence.put(evidence);
  if (refusal === undefined) {
    queue.add(smsEventId);
    return;
  }
  const match = workingSet.matches.get(smsEventId);
  if (refusal.kind === 'duplicate' && before === undefined && match?.status === 'REVIEW_REQUIRED') {
    // Another text has replaced it, and its exception is the only one of its intent.
    keepInReview(session, evidence, match);
    return;
  }
  const { ingestedAt, factsSequence } = evidence;
  applyMatch(session, { smsEventId, tenant, ingestedAt, factsSequence, evidence }, refusal, []);
}

/** A text that would be accepted as the first one of its TrxID may replace the stored one. */
function refusalOf(session: MatchingSession, evidence: Evidence, original: Evidence | undefined) {
  const terms = session.termsOf(evidence.tenant);
  const refusal = refuse(evidence, undefined, terms, session.now);
  if (original === undefined) return refusal;
  if (refusal === undefined && replaceText(session, original, evidence)) return undefined;
  return refuse(evidence, original, terms, session.now);
}

/** False if this version of the text is stored already or older than the stored one. */
function isNewer(known: Match | undefined, before: Evidence | undefined, reading: Evidence): boolean {
  if (known === undefined) return before === undefined || compareSequences(factsOf(reading), factsOf(before)) > 0;
  if (!mayChangeAfterReparse(known.status)) return false;
  const order = compareSequences(factsOf(reading), factsOf(known));
  return order > 0 || (known.status === 'UNPARSED' && order === 0);
}

function saysTheSame(reading: Evidence, before: Evidence): boolean {
  return (
    reading.trxId === before.trxId &&
    reading.provider === before.provider &&
    reading.amount === before.amount &&
    reading.referenceKey === before.referenceKey
  );
}

function noteConflict({ result }: MatchingSession, reading: Evidence, before: Evidence): void {
  if (saysTheSame(reading, before) || !isSamePair(factsOf(reading), factsOf(before))) return;
  const { epoch, sequence } = factsOf(reading);
  result.conflicts.push({ subject: 'sms', id: reading.smsEventId, epoch: epoch ?? null, sequence });
}

function factsOf({ factsEpoch, factsSequence }: Pick<Evidence, 'factsEpoch' | 'factsSequence'>): SequencePair {
  return { epoch: factsEpoch, sequence: factsSequence };
}

function signalsOf({ signalsEpoch, signalsSequence }: SignalsRead): SequencePair {
  return { epoch: signalsEpoch, sequence: signalsSequence };
}

function newestSignals({ workingSet }: MatchingSession, reading: Evidence, before: Evidence | undefined): SignalsRead {
  let newest: SignalsRead = reading;
  if (before !== undefined && compareSequences(signalsOf(before), signalsOf(newest)) > 0) newest = before;
  const early = workingSet.earlySignals.get(reading.smsEventId);
  if (early !== undefined && compareSequences(early, signalsOf(newest)) > 0) {
    newest = { signals: early.signals, signalsSequence: early.sequence, signalsEpoch: early.epoch };
  }
  const { signals, signalsSequence, signalsEpoch } = newest;
  return { signals, signalsSequence, signalsEpoch };
}

function recordSignals(
  { workingSet, queue }: MatchingSession,
  { smsEventId, signals, sequence, epoch }: SignalsArrival,
): void {
  const evidence = workingSet.evidence.get(smsEventId);
  if (evidence === undefined) {
    const early = workingSet.earlySignals.get(smsEventId);
    if (early === undefined || compareSequences({ epoch, sequence }, early) > 0)
      workingSet.earlySignals.put({ smsEventId, signals, sequence, epoch });
    return;
  }
  if (compareSequences({ epoch, sequence }, signalsOf(evidence)) <= 0) return;
  const revision = evidence.revision + 1;
  workingSet.evidence.put({ ...evidence, signals, signalsSequence: sequence, signalsEpoch: epoch, revision });
  const match = workingSet.matches.get(smsEventId);
  if (match !== undefined) workingSet.matches.put({ ...match, revision });
  if (isUnspent(evidence)) queue.add(smsEventId);
}
