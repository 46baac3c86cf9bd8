import {
  DOUBTS_TO_ACKNOWLEDGE,
  formatAmount,
  MOST_CANDIDATES,
  type Checks,
  type DoubtToAcknowledge,
  type ErrorCode,
  type Poisha,
  type Tenant,
} from '@pay/contracts';
import type { MatchingSession, ReviewResult } from './matching-session';
import type { Match } from './working-set';
import { isOpen, sameTenant, type Evidence, type Intent } from './facts';
import { keyOf } from './keys';
import { evidenceStateOf, mayIntentMove, mayPersonMoveMatch } from './lifecycle';
import { LASTING_DOUBTS, type PersonsReason } from './reasons';
import { checkAll, wasPaidInTime } from './rules';
import { matchDecision } from './match-decision';

/** Differences and doubts that the reviewer has acknowledged. */
export interface Acknowledged {
  readonly amounts: { readonly expected: Poisha; readonly received: Poisha } | undefined;
  readonly method: boolean;
  readonly receiver: boolean;
  readonly reference: boolean;
  readonly doubts: readonly DoubtToAcknowledge[];
}

export type Act =
  | { readonly name: 'resolve' | 'link'; readonly intentId: string | undefined; readonly acknowledged: Acknowledged }
  | RejectAct
  | { readonly name: 'refunded' | 'not-ours' }
  | ReopenAct;

export interface ReopenAct {
  readonly name: 'reopen';
  /** Why it was open before it was closed; undefined if that decision is deleted. */
  readonly before?: Pick<Match, 'status' | 'reason'> | undefined;
}

export interface RejectAct extends Leads {
  readonly name: 'reject';
  readonly intentId: string | undefined;
  /** The reviewer has named an intent, which may differ from that of the match. */
  readonly isNamed: boolean;
}

/** How the stored records lead to the intent, read while the intent is locked. */
export interface Leads {
  /** The match has led to the intent before, or its TrxID is disputed for it: its claims may be settled since. */
  readonly wasLedTo: boolean;
  /** Another open exception leads to the intent. */
  readonly isLedToElsewhere: boolean;
}

/** A review action on a match, with the names that were read for locking; they may have changed since. */
export interface ReviewArrival {
  readonly kind: 'review';
  readonly tenant: Tenant;
  readonly smsEventId: string;
  readonly trxId: string | undefined;
  readonly referenceKey: string | undefined;
  readonly intent: Pick<Intent, 'id' | 'referenceKey'> | undefined;
  readonly act: Act;
  /** `user:<id>` */
  readonly by: string;
  readonly note: string;
}

interface Item {
  readonly match: Match;
  readonly evidence: Evidence | undefined;
  readonly intent: Intent | undefined;
}

/** Applies an action of a reviewer under the same rules as the system, or refuses it with a reason. */
export function decideReview(session: MatchingSession, arrival: ReviewArrival): ReviewResult {
  const { workingSet } = session;
  const match = workingSet.matches.get(arrival.smsEventId);
  if (match === undefined || !sameTenant(match.tenant, arrival.tenant)) return refused('NOT_FOUND');
  const evidence = workingSet.evidence.get(arrival.smsEventId);
  if (evidence?.trxId !== arrival.trxId || evidence?.referenceKey !== arrival.referenceKey) return { kind: 'stale' };
  const intent = arrival.intent && workingSet.intents.get(arrival.intent.id);
  const item = { match, evidence, intent: intent && sameTenant(intent.tenant, arrival.tenant) ? intent : undefined };
  const { act } = arrival;
  switch (act.name) {
    case 'resolve':
    case 'link':
      return pay(session, arrival, item, act);
    case 'reject':
      return reject(session, arrival, item, act);
    case 'refunded':
    case 'not-ours':
      return excludeEvidence(session, arrival, item, act.name === 'refunded' ? 'refunded' : 'not_ours');
    case 'reopen':
      return reopen(session, arrival, item, act);
  }
}

function pay(
  session: MatchingSession,
  arrival: ReviewArrival,
  { match, evidence, intent }: Item,
  { name, intentId, acknowledged }: Extract<Act, { name: 'resolve' | 'link' }>,
): ReviewResult {
  if (!mayPersonMoveMatch(match.status, 'MANUALLY_RESOLVED')) return refused(whyNotPaid(match));
  if (evidence === undefined) return whyNoEvidence(match);
  if (name === 'resolve' && match.intentId !== intentId) return { kind: 'stale' };
  if (intentId === undefined) return refused('NO_INTENT_TO_APPROVE');
  if (intent === undefined) return refused('NOT_FOUND');
  if (!mayIntentMove(intent.status, 'PAID', 'person')) return refused('INTENT_NOT_PENDING');
  if (isRecordOver(session, intent)) return refused('INTENT_NOT_PENDING');
  const { tenant, referenceKey } = evidence;
  const [named] =
    referenceKey === undefined ? [] : session.workingSet.intents.find(keyOf.reference(tenant, referenceKey));
  const question = { path: 'REFERENCE', evidence, intent, named, terms: session.termsOf(tenant) } as const;
  const checks = checkAll(question);
  const refusal =
    notAcknowledged(checks, intent, evidence, acknowledged) ??
    doubtsNotAcknowledged(doubtsAboutPaying(intent, match), acknowledged);
  if (refusal !== undefined) return refusal;

  const paid: Intent = { ...intent, status: 'PAID', ...decidedAbout(intent, arrival) };
  session.workingSet.intents.put(paid);
  session.workingSet.evidence.put({ ...evidence, state: 'USED' });
  storeReviewedMatch(session, arrival, evidence, paid, {
    ...match,
    status: 'MANUALLY_RESOLVED',
    reason: name === 'link' ? 'linked_by_person' : 'approved_by_person',
    intentId: paid.id,
    path: name === 'link' ? 'MANUAL' : (match.path ?? 'MANUAL'),
    checks,
    paidInTime: checks.expiry === 'fail' ? wasPaidInTime(question) : undefined,
    expectedAmount: paid.amount,
    receivedAmount: evidence.amount,
  });
  // Claims of this TrxID must be answered.
  session.queue.add(evidence.smsEventId);
  return { kind: 'done', moved: [paid] };
}

/** An ended intent past its retention may already be deleted in other services. */
function isRecordOver({ now, termsOf }: MatchingSession, intent: Intent): boolean {
  return !isOpen(intent) && now.getTime() - intent.createdAt.getTime() >= termsOf(intent.tenant).recordRetentionMs;
}

function whyNotPaid({ status }: Match): ErrorCode {
  if (status === 'UNPARSED') return 'NO_MONEY_READ';
  return status === 'DUPLICATE' ? 'duplicate_trx_id' : 'EXCEPTION_DECIDED';
}

function whyNoEvidence({ receivedAmount }: Match): ReviewResult {
  if (receivedAmount === undefined) return refused('NO_MONEY_READ');
  return refused(
    'duplicate_trx_id',
    'Another SMS with this transaction ID has replaced this one. Approve or link that SMS.',
  );
}

function notAcknowledged(
  checks: Checks,
  intent: Intent,
  evidence: Evidence,
  { amounts, method, receiver, reference }: Acknowledged,
): ReviewResult | undefined {
  if (checks.environment === 'fail') return refused('NOT_FOUND');
  if (checks.reference === 'fail' && !reference) return refused('NAMES_ANOTHER_INTENT');
  if (checks.method === 'fail' && !method) return refused('METHOD_DIFFERS');
  if (checks.receiver === 'fail' && !receiver) return refused('RECEIVER_DIFFERS');
  if (checks.amount === 'fail' && (amounts?.expected !== intent.amount || amounts.received !== evidence.amount)) {
    const [expected, received] = [formatAmount(intent.amount), formatAmount(evidence.amount)];
    return refused(
      'AMOUNT_DIFFERS',
      `The intent expects ${expected}; ${received} was received. To approve it anyway, send acknowledgeAmountDifference ` +
        `with expectedAmount "${expected}" and receivedAmount "${received}".`,
    );
  }
  return undefined;
}

/** Of the match, if it is about this intent; otherwise those about the text, and those of the candidate. */
function doubtsAboutPaying({ id }: Intent, { intentId, reason, doubts, candidates }: Match): DoubtToAcknowledge[] {
  const found: readonly string[] =
    id === intentId
      ? [reason, ...doubts]
      : [...LASTING_DOUBTS.filter((each) => doubts.includes(each)), ...doubtsOfCandidate(id, candidates)];
  return DOUBTS_TO_ACKNOWLEDGE.filter((each) => found.includes(each));
}

/** Further claimants of the TrxID are not stored if the list is full. */
function doubtsOfCandidate(id: string, candidates: Match['candidates']): string[] {
  const own = candidates.filter(({ paymentIntentId }) => paymentIntentId === id);
  if (own.length === 0) return candidates.length >= MOST_CANDIDATES ? ['competing_claims'] : [];
  return own.flatMap((candidate) => [candidate.reason, ...(candidate.doubts ?? [])]);
}

function doubtsNotAcknowledged(
  doubts: readonly DoubtToAcknowledge[],
  acknowledged: Acknowledged,
): ReviewResult | undefined {
  if (doubts.every((each) => acknowledged.doubts.includes(each))) return undefined;
  return refused(
    'DOUBTS_NOT_ACKNOWLEDGED',
    `It is doubtful who has paid. To approve the payment anyway, send acknowledgeDoubts ${JSON.stringify(doubts)}.`,
  );
}

/**
 * Rejects an intent in review and closes the requested match, unless that refers to another intent or is closed. A
 * match that no longer leads to the intent rejects it only if no other open exception does.
 */
function reject(
  session: MatchingSession,
  arrival: ReviewArrival,
  { match, evidence, intent }: Item,
  { isNamed, wasLedTo, isLedToElsewhere }: RejectAct,
): ReviewResult {
  const isOpen = mayPersonMoveMatch(match.status, 'REJECTED');
  if (!isOpen && !isNamed) return refused('EXCEPTION_DECIDED');
  if (!isNamed && match.intentId !== arrival.intent?.id) return { kind: 'stale' };
  const isNamedBy = (id: string) =>
    id === match.intentId || match.candidates.some((each) => each.paymentIntentId === id);
  const isLedTo = (id: string) => isNamedBy(id) || wasLedTo;
  if (arrival.intent !== undefined && (intent === undefined || !isLedTo(intent.id))) return refused('NOT_FOUND');
  if (intent === undefined || !mayIntentMove(intent.status, 'REJECTED', 'person'))
    return refused('INTENT_NOT_IN_REVIEW');
  const stillLeads = match.status === 'REVIEW_REQUIRED' && isNamedBy(intent.id);
  if (!stillLeads && isLedToElsewhere) return refused('INTENT_IN_OTHER_EXCEPTION');

  const rejected: Intent = {
    ...intent,
    status: 'REJECTED',
    rejectedAt: session.now,
    ...decidedAbout(intent, arrival),
  };
  session.workingSet.intents.put(rejected);
  if (isOpen && match.intentId === intent.id) {
    if (evidence !== undefined) session.workingSet.evidence.put({ ...evidence, state: 'CLOSED' });
    storeReviewedMatch(session, arrival, evidence, rejected, {
      ...match,
      status: 'REJECTED',
      reason: 'rejected_by_person',
    });
    // The claim of another open intent keeps the text in review.
    if (evidence !== undefined) session.queue.add(evidence.smsEventId);
  } else {
    // The checks of the match compare another intent.
    const compared = match.intentId === intent.id ? {} : { path: undefined, checks: undefined, paidInTime: undefined };
    const about: Match = {
      ...match,
      ...compared,
      status: 'REJECTED',
      reason: 'rejected_by_person',
      intentId: intent.id,
    };
    announce(session, arrival, { match: about, evidence: undefined, moved: rejected, concernsSms: false });
    // No remaining intent is paid automatically, as if the match had been about the rejected one: also not after the
    // match is reopened.
    if (evidence?.state !== 'USED')
      session.workingSet.matches.put({ ...match, doubts: withOtherIntentRejected(match) });
  }
  return { kind: 'done', moved: [rejected] };
}

function withOtherIntentRejected({ doubts }: Match): Match['doubts'] {
  return doubts.includes('other_intent_rejected') ? doubts : [...doubts, 'other_intent_rejected'];
}

function excludeEvidence(
  session: MatchingSession,
  arrival: ReviewArrival,
  { match, evidence }: Item,
  reason: Extract<PersonsReason, 'refunded' | 'not_ours'>,
): ReviewResult {
  if (!mayPersonMoveMatch(match.status, 'REJECTED')) return refused('EXCEPTION_DECIDED');
  if (evidence !== undefined) session.workingSet.evidence.put({ ...evidence, state: 'CLOSED' });
  storeReviewedMatch(session, arrival, evidence, undefined, { ...match, status: 'REJECTED', reason });
  return { kind: 'done', moved: [] };
}

/**
 * Opens a closed match again, with the status and the reason that it had before. If its intent was rejected, only a
 * person makes the text pay another.
 */
function reopen(
  session: MatchingSession,
  arrival: ReviewArrival,
  { match, evidence }: Item,
  { before }: ReopenAct,
): ReviewResult {
  if (!mayPersonMoveMatch(match.status, 'REVIEW_REQUIRED')) return refused('EXCEPTION_NOT_CLOSED');
  if (evidence === undefined) return refused('NO_MONEY_READ');
  const statusBefore = before?.status ?? 'REVIEW_REQUIRED';
  // Its match window may have ended while it was closed.
  const status = statusBefore === 'PENDING' && match.windowEndedAt !== undefined ? 'EXPIRED' : statusBefore;
  const state = evidenceStateOf({ status, windowEndedAt: match.windowEndedAt });
  if (state !== undefined) session.workingSet.evidence.put({ ...evidence, state });
  const reopened = storeReviewedMatch(session, arrival, evidence, undefined, {
    ...match,
    doubts: match.reason === 'rejected_by_person' ? withOtherIntentRejected(match) : match.doubts,
    status,
    reason: 'reopened',
  });
  // Only the decision says "reopened": the reason of the match names the kind of its exception.
  if (before !== undefined) session.workingSet.matches.put({ ...reopened, reason: before.reason });
  return { kind: 'done', moved: [] };
}

function decidedAbout({ decisionSequence }: Intent, { by }: ReviewArrival) {
  return { decisionSequence: decisionSequence + 1, decidedBy: by };
}

function storeReviewedMatch(
  session: MatchingSession,
  arrival: ReviewArrival,
  evidence: Evidence | undefined,
  moved: Intent | undefined,
  given: Match & { readonly reason: PersonsReason },
): Match {
  const match: Match = {
    ...given,
    smsSequence: given.smsSequence + 1,
    resolvedAt: given.status === 'REVIEW_REQUIRED' || given.status === 'PENDING' ? undefined : session.now,
    decidedBy: arrival.by,
    resolutionNote: arrival.note,
  };
  session.workingSet.matches.put(match);
  announce(session, arrival, { match, evidence, moved, concernsSms: true });
  return match;
}

interface Announced {
  readonly match: Match;
  readonly evidence: Evidence | undefined;
  readonly moved: Intent | undefined;
  readonly concernsSms: boolean;
}

function announce(
  session: MatchingSession,
  { by, note }: ReviewArrival,
  { match, evidence, moved, concernsSms }: Announced,
): void {
  const details = { decisionId: session.newId(), evidence, ingestedAt: undefined, moved, concernsSms };
  session.result.matches.push({ ...matchDecision(match, details), decidedBy: by, note });
}

function refused(code: ErrorCode, message?: string): ReviewResult {
  return message === undefined ? { kind: 'refused', code } : { kind: 'refused', code, message };
}
