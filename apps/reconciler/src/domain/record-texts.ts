import { compareSequences, isSamePair, type SequencePair } from '@pay/contracts';
import { applyMatch } from './apply-match';
import type { Arrival, SignalsArrival, SmsArrival } from './arrivals';
import type { Court } from './court';
import type { Match } from './docket';
import { isUnspent, type Evidence } from './facts';
import { keyOf } from './keys';
import { mayBeReadAnew } from './lifecycle';
import { refuse } from './match';

type SignalsRead = Pick<Evidence, 'signals' | 'signalsSequence' | 'signalsEpoch'>;
type UnparsedArrival = Extract<Arrival, { kind: 'unparsed' }>;

/** Puts texts on the docket, as they are understood by now, and what stands against them. */
export function recordTexts(court: Court, arrivals: readonly Arrival[]): void {
  for (const arrival of byIngestion(arrivals)) {
    if (arrival.kind === 'sms') recordSms(court, arrival);
    else recordUnparsed(court, arrival);
  }
  for (const arrival of arrivals) if (arrival.kind === 'signals') recordSignals(court, arrival);
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

function recordUnparsed(court: Court, arrival: UnparsedArrival): void {
  const { smsEventId, tenant, ingestedAt, reason, sequence, epoch } = arrival;
  const known = court.docket.matches.get(smsEventId);
  // A text that was understood once stays evidence: only a person takes it back.
  if (known !== undefined && (known.status !== 'UNPARSED' || compareSequences(arrival, factsOf(known)) <= 0)) return;
  const subject = { smsEventId, tenant, ingestedAt, factsSequence: sequence, factsEpoch: epoch, evidence: undefined };
  applyMatch(court, subject, { kind: 'unparsed', reason }, []);
}

function recordSms(court: Court, { evidence: reading, tenant, decisionMissing }: SmsArrival): void {
  const { docket, agenda, readAnew } = court;
  const { smsEventId } = reading;
  const known = docket.matches.get(smsEventId);
  const before = docket.evidence.get(smsEventId);
  const isRepeated = decisionMissing === true && before !== undefined && saysTheSame(reading, before);
  if (isRepeated || !isNews(known, before, reading)) {
    if (before !== undefined) noteConflict(court, reading, before);
    return;
  }
  const evidence: Evidence = {
    ...reading,
    ...newestSignals(court, reading, before),
    authenticity: reading.authenticity ?? before?.authenticity,
    // When the money is late is judged by when its text came in, not by when it was understood.
    ingestedAt: before?.ingestedAt ?? reading.ingestedAt,
    revision: (known?.revision ?? 0) + 1,
    // Once its window is over, only a person spends it.
    state: known?.windowEndedAt === undefined ? 'WAITING' : 'LAPSED',
  };
  if (known !== undefined) {
    readAnew.add(smsEventId);
    const { factsSequence, factsEpoch, revision } = evidence;
    docket.matches.put({ ...known, factsSequence, factsEpoch, revision });
  }
  if (before !== undefined && before.trxId !== evidence.trxId) court.vacated.add(keyOf.trxId(tenant, before.trxId));
  const original = docket.evidence
    .find(keyOf.trxId(tenant, evidence.trxId))
    .find((other) => other.provider === evidence.provider && other.smsEventId !== smsEventId);
  const refusal = refuse(evidence, original, court.termsOf(tenant), court.now);
  if (refusal?.kind === 'duplicate') docket.evidence.drop(smsEventId);
  else docket.evidence.put(evidence);
  if (refusal === undefined) {
    agenda.add(smsEventId);
    return;
  }
  const { ingestedAt, factsSequence } = evidence;
  applyMatch(court, { smsEventId, tenant, ingestedAt, factsSequence, evidence }, refusal, []);
}

/** The same reading told twice changes nothing, nor does an older one. */
function isNews(known: Match | undefined, before: Evidence | undefined, reading: Evidence): boolean {
  if (known === undefined) return before === undefined || compareSequences(factsOf(reading), factsOf(before)) > 0;
  if (!mayBeReadAnew(known.status)) return false;
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

function noteConflict({ rulings }: Court, reading: Evidence, before: Evidence): void {
  if (saysTheSame(reading, before) || !isSamePair(factsOf(reading), factsOf(before))) return;
  const { epoch, sequence } = factsOf(reading);
  rulings.conflicts.push({ subject: 'sms', id: reading.smsEventId, epoch: epoch ?? null, sequence });
}

function factsOf({ factsEpoch, factsSequence }: Pick<Evidence, 'factsEpoch' | 'factsSequence'>): SequencePair {
  return { epoch: factsEpoch, sequence: factsSequence };
}

function signalsOf({ signalsEpoch, signalsSequence }: SignalsRead): SequencePair {
  return { epoch: signalsEpoch, sequence: signalsSequence };
}

function newestSignals({ docket }: Court, reading: Evidence, before: Evidence | undefined): SignalsRead {
  let newest: SignalsRead = reading;
  if (before !== undefined && compareSequences(signalsOf(before), signalsOf(newest)) > 0) newest = before;
  const early = docket.earlySignals.get(reading.smsEventId);
  if (early !== undefined && compareSequences(early, signalsOf(newest)) > 0) {
    newest = { signals: early.signals, signalsSequence: early.sequence, signalsEpoch: early.epoch };
  }
  const { signals, signalsSequence, signalsEpoch } = newest;
  return { signals, signalsSequence, signalsEpoch };
}

function recordSignals({ docket, agenda }: Court, { smsEventId, signals, sequence, epoch }: SignalsArrival): void {
  const evidence = docket.evidence.get(smsEventId);
  if (evidence === undefined) {
    const early = docket.earlySignals.get(smsEventId);
    if (early === undefined || compareSequences({ epoch, sequence }, early) > 0)
      docket.earlySignals.put({ smsEventId, signals, sequence, epoch });
    return;
  }
  if (compareSequences({ epoch, sequence }, signalsOf(evidence)) <= 0) return;
  const revision = evidence.revision + 1;
  docket.evidence.put({ ...evidence, signals, signalsSequence: sequence, signalsEpoch: epoch, revision });
  const match = docket.matches.get(smsEventId);
  if (match !== undefined) docket.matches.put({ ...match, revision });
  if (isUnspent(evidence)) agenda.add(smsEventId);
}
