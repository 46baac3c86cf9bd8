import type { Checks, ErrorCode, IntentStatus, MatchPath, MatchStatus, SmsStatus, Tenant } from '@pay/contracts';
import type { WorkingSet } from './working-set';
import type { Claim, Evidence, Intent, Terms } from './facts';
import { keyOf } from './keys';

/** One decision as the world is told of it. */
export interface MatchDecision {
  readonly decisionId: string;
  readonly matchId: string;
  readonly tenant: Tenant;
  readonly status: MatchStatus;
  readonly path: MatchPath | undefined;
  readonly reason: string;
  readonly checks: Checks | undefined;
  readonly paidInTime: boolean | undefined;
  readonly paymentIntentId: string | undefined;
  /** Only when the decision changes the intent's status. */
  readonly intent: { readonly id: string; readonly status: IntentStatus; readonly sequence: number } | undefined;
  readonly sms: { readonly id: string; readonly status: SmsStatus; readonly sequence: number } | undefined;
  readonly evidence: Evidence | undefined;
  /** When its SMS was taken in, parsed or not. */
  readonly ingestedAt: Date | undefined;
  /** `user:<id>`; absent when nobody but this service decided. */
  readonly decidedBy?: string;
  /** What that person said of it. */
  readonly note?: string;
}

/** What became of what a person asked for. */
export type ReviewResult =
  | { readonly kind: 'done'; readonly moved: readonly Intent[] }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message?: string }
  /** Its facts were replaced before they were locked: read the names again. */
  | { readonly kind: 'stale' };

/** A claim of a TrxID that another intent's claim, or a person, has used already. */
export interface Dispute {
  readonly id: string;
  readonly tenant: Tenant;
  /** The intent of the claim that came too late. */
  readonly intentId: string;
  readonly trxId: string;
  readonly smsEventId: string;
  readonly submittedAt: Date;
  readonly paidIntentId: string;
}

/** A fact with the epoch and sequence of the stored one and another content; the stored one stays. */
export interface Conflict {
  readonly subject: 'intent' | 'sms';
  readonly id: string;
  readonly epoch: number | null;
  readonly sequence: number;
}

export interface SessionResult {
  readonly matches: MatchDecision[];
  /** Claims of customers that were decided, or decided otherwise than before. */
  readonly claims: Claim[];
  readonly disputes: Dispute[];
  readonly conflicts: Conflict[];
  /** What came of what people asked for, in their order. */
  readonly reviewResults: ReviewResult[];
  /** Decisions made before that the owners of texts and claims have not stored. */
  readonly repeated: { readonly matches: MatchDecision[]; readonly claims: Claim[] };
}

export interface MatchingSession {
  readonly workingSet: WorkingSet;
  readonly result: SessionResult;
  readonly now: Date;
  readonly newId: () => string;
  readonly termsOf: (tenant: Tenant) => Terms;
  /** SMS events whose evidence has to be looked at (again). */
  readonly queue: Set<string>;
  /** SMS events that were understood otherwise than before: decided as new. */
  readonly reparsed: Set<string>;
  /** Claims that were submitted again: each is answered, whether or not its answer has changed. */
  readonly resubmitted: Set<string>;
  /** Keys of TrxIDs that a text was thought to be of, and is not. */
  readonly invalidatedTrxIds: Set<string>;
}

/** Whatever leads to an intent: texts that name it, and the TrxIDs claimed for it. */
export function evidenceLeadingTo(workingSet: WorkingSet, intent: Intent): Evidence[] {
  const byReference = workingSet.evidence.find(keyOf.reference(intent.tenant, intent.referenceKey));
  const claims = workingSet.claims.find(keyOf.intent(intent.id)).filter(({ state }) => state === 'OPEN');
  return [
    ...byReference,
    ...claims.flatMap(({ trxId }) => workingSet.evidence.find(keyOf.trxId(intent.tenant, trxId))),
  ];
}
