import type { IntentStatus, MatchStatus, SmsStatus } from '@pay/contracts';
import type { EvidenceState } from './facts';

/*
 * Intent   PENDING ──────────► PAID            all seven checks hold
 *          PENDING ──────────► REVIEW_REQUIRED reference or TrxID matched, the amount or the age is doubtful
 *          PENDING ──────────► EXPIRED         its time is over
 *          PENDING ──────────► FAILED          it can no longer be paid
 *          REVIEW_REQUIRED ──► PAID            other evidence passes all checks, or a person approves
 *          REVIEW_REQUIRED ──► REJECTED        a person rejects
 *          EXPIRED, FAILED ──► PAID            a person approves or links
 *          PAID and REJECTED are final.
 *
 * Database triggers (db/migrations) enforce the same tables.
 */

export type Decider = 'system' | 'person';

const INTENT_MOVES: Readonly<Record<IntentStatus, Readonly<Partial<Record<IntentStatus, readonly Decider[]>>>>> = {
  PENDING: {
    PAID: ['system', 'person'],
    REVIEW_REQUIRED: ['system'],
    EXPIRED: ['system'],
    FAILED: ['system'],
  },
  REVIEW_REQUIRED: { PAID: ['system', 'person'], REJECTED: ['person'] },
  EXPIRED: { PAID: ['person'] },
  FAILED: { PAID: ['person'] },
  PAID: {},
  REJECTED: {},
};

const MATCH_MOVES: Readonly<Record<MatchStatus, readonly MatchStatus[]>> = {
  // To DUPLICATE: another text of the TrxID replaces a doubtful one.
  PENDING: ['MATCHED', 'REVIEW_REQUIRED', 'EXPIRED', 'DUPLICATE'],
  // REVIEW_REQUIRED to itself: the doubt may change while the exception is open.
  REVIEW_REQUIRED: ['MATCHED', 'REVIEW_REQUIRED', 'DUPLICATE'],
  EXPIRED: ['REVIEW_REQUIRED', 'DUPLICATE'],
  // A later parser parses the text, or fails for another reason.
  UNPARSED: ['PENDING', 'MATCHED', 'REVIEW_REQUIRED', 'FAILED', 'DUPLICATE', 'UNPARSED'],
  FAILED: [],
  MATCHED: [],
  DUPLICATE: [],
  MANUALLY_RESOLVED: [],
  REJECTED: [],
};

/** Status changes by people. Only a person reopens excluded evidence; a match that pays is final. */
const MOVES_BY_PEOPLE: Readonly<Partial<Record<MatchStatus, readonly MatchStatus[]>>> = {
  PENDING: ['MANUALLY_RESOLVED', 'REJECTED'],
  REVIEW_REQUIRED: ['MANUALLY_RESOLVED', 'REJECTED'],
  EXPIRED: ['MANUALLY_RESOLVED', 'REJECTED'],
  FAILED: ['MANUALLY_RESOLVED', 'REJECTED'],
  UNPARSED: ['REJECTED'],
  REJECTED: ['PENDING', 'REVIEW_REQUIRED', 'EXPIRED', 'FAILED'],
};

/** Further status changes after a text was re-parsed. A match that was paid or decided by a person is final. */
const MOVES_AFTER_REPARSE: Readonly<Partial<Record<MatchStatus, readonly MatchStatus[]>>> = {
  PENDING: ['PENDING', 'FAILED'],
  REVIEW_REQUIRED: ['PENDING', 'EXPIRED', 'FAILED'],
  EXPIRED: ['FAILED'],
  FAILED: ['PENDING', 'MATCHED', 'REVIEW_REQUIRED', 'EXPIRED', 'DUPLICATE'],
  // DUPLICATE to itself: it may be one for another reason.
  DUPLICATE: ['PENDING', 'MATCHED', 'REVIEW_REQUIRED', 'EXPIRED', 'FAILED', 'DUPLICATE'],
};

export class IllegalMove extends Error {
  override readonly name = 'IllegalMove';
}

export function mayIntentMove(from: IntentStatus, to: IntentStatus, by: Decider): boolean {
  return INTENT_MOVES[from][to]?.includes(by) ?? false;
}

export function mayMatchMove(from: MatchStatus, to: MatchStatus, isReparsed = false): boolean {
  return MATCH_MOVES[from].includes(to) || (isReparsed && (MOVES_AFTER_REPARSE[from]?.includes(to) ?? false));
}

/** Whether a claim of another open intent may put a closed match back into review: only the intent was rejected. */
export function mayReturnToReview({
  status,
  reason,
}: {
  readonly status: MatchStatus;
  readonly reason: string;
}): boolean {
  return status === 'REJECTED' && reason === 'rejected_by_person';
}

export function mayPersonMoveMatch(from: MatchStatus, to: MatchStatus): boolean {
  return MOVES_BY_PEOPLE[from]?.includes(to) ?? false;
}

/** Whether re-parsing its text may still change a match: it has neither paid nor been decided by a person. */
export function mayChangeAfterReparse(status: MatchStatus): boolean {
  return status === 'UNPARSED' || MOVES_AFTER_REPARSE[status] !== undefined;
}

/** Throws IllegalMove, which rolls back the batch: a caller that requests an illegal change has a bug. */
export function assertIntentMove(from: IntentStatus, to: IntentStatus, by: Decider): void {
  if (!mayIntentMove(from, to, by)) throw new IllegalMove(`an intent cannot go from ${from} to ${to} by ${by}`);
}

export function assertMatchMove(from: MatchStatus, to: MatchStatus, isReparsed = false): void {
  if (!mayMatchMove(from, to, isReparsed)) throw new IllegalMove(`a match cannot go from ${from} to ${to}`);
}

/**
 * The SMS status for the status of its match. An SMS under review, or past its match window, has no confirmed intent.
 */
export const SMS_STATUS_OF: Readonly<Record<MatchStatus, SmsStatus>> = {
  PENDING: 'MATCH_PENDING',
  REVIEW_REQUIRED: 'MATCH_PENDING',
  EXPIRED: 'MATCH_PENDING',
  MATCHED: 'MATCHED',
  FAILED: 'FAILED',
  DUPLICATE: 'FAILED',
  UNPARSED: 'UNPARSED',
  MANUALLY_RESOLVED: 'MANUALLY_RESOLVED',
  REJECTED: 'REJECTED',
};

const EVIDENCE_STATE_OF: Readonly<Record<MatchStatus, EvidenceState | undefined>> = {
  PENDING: 'WAITING',
  REVIEW_REQUIRED: 'REVIEW',
  EXPIRED: 'LAPSED',
  MATCHED: 'USED',
  MANUALLY_RESOLVED: 'USED',
  FAILED: 'CLOSED',
  REJECTED: 'CLOSED',
  DUPLICATE: undefined,
  UNPARSED: undefined,
};

/**
 * The evidence state for the status of its match; undefined if the SMS is not evidence. After the match window only a
 * person may use it.
 */
export function evidenceStateOf(match: {
  readonly status: MatchStatus;
  readonly windowEndedAt: Date | undefined;
}): EvidenceState | undefined {
  const state = EVIDENCE_STATE_OF[match.status];
  return state === 'REVIEW' && match.windowEndedAt !== undefined ? 'LAPSED' : state;
}
