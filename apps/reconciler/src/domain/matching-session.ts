import type { Checks, ErrorCode, IntentStatus, MatchPath, MatchStatus, SmsStatus, Tenant } from '@pay/contracts';
import type { WorkingSet } from './working-set';
import type { Claim, Evidence, Intent, Terms } from './facts';
import { keyOf } from './keys';
import type { LastingDoubt } from './reasons';

/** One decision, as it is published. */
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
  /** When its SMS was ingested, parsed or not. */
  readonly ingestedAt: Date | undefined;
  /** `user:<id>`; absent for decisions of the system. */
  readonly decidedBy?: string;
  /** The reason given by that person. */
  readonly note?: string;
}

/** The result of a review action. */
export type ReviewResult =
  | { readonly kind: 'done'; readonly moved: readonly Intent[] }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message?: string }
  /** Its facts changed before they were locked and must be read again. */
  | { readonly kind: 'stale' };

/** A claim of a TrxID that has paid another intent. */
export interface Dispute {
  readonly id: string;
  readonly tenant: Tenant;
  /** The intent of the claim. */
  readonly intentId: string;
  readonly trxId: string;
  readonly smsEventId: string;
  readonly submittedAt: Date;
  readonly paidIntentId: string;
}

/** A fact with the epoch and sequence of the stored fact but different content; the stored fact is kept. */
export interface Conflict {
  readonly subject: 'intent' | 'sms';
  readonly id: string;
  readonly epoch: number | null;
  readonly sequence: number;
}

export interface SessionResult {
  readonly matches: MatchDecision[];
  /** Claims of customers with a new or changed decision. */
  readonly claims: Claim[];
  readonly disputes: Dispute[];
  readonly conflicts: Conflict[];
  /** Results of the review actions, in their order. */
  readonly reviewResults: ReviewResult[];
  /** Earlier decisions that sms-ingest or checkout-api has not stored. */
  readonly repeated: { readonly matches: MatchDecision[]; readonly claims: Claim[] };
}

export interface MatchingSession {
  readonly workingSet: WorkingSet;
  readonly result: SessionResult;
  readonly now: Date;
  readonly newId: () => string;
  readonly termsOf: (tenant: Tenant) => Terms;
  /** SMS events whose evidence must be decided (again). */
  readonly queue: Set<string>;
  /** SMS events that were re-parsed with another result: decided like new ones. */
  readonly reparsed: Set<string>;
  /** Decided claims that were submitted again, as they were before: each is answered, also with the same outcome. */
  readonly resubmitted: Map<string, Claim>;
  /** Lasting doubts about texts that replaced others, by SMS event. */
  readonly lastingDoubts: Map<string, readonly LastingDoubt[]>;
  /** Keys of the former TrxIDs of re-parsed texts. */
  readonly invalidatedTrxIds: Set<string>;
}

/** All evidence that leads to an intent: texts with its reference, and texts of the TrxIDs claimed for it. */
export function evidenceLeadingTo(workingSet: WorkingSet, intent: Intent): Evidence[] {
  const byReference = workingSet.evidence.find(keyOf.reference(intent.tenant, intent.referenceKey));
  const claims = workingSet.claims.find(keyOf.intent(intent.id)).filter(({ state }) => state === 'OPEN');
  return [
    ...byReference,
    ...claims.flatMap(({ trxId }) => workingSet.evidence.find(keyOf.trxId(intent.tenant, trxId))),
  ];
}
