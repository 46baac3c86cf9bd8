import { MOST_CANDIDATES, type Checks, type MatchPath, type MatchReason } from '@pay/contracts';
import { assess, type Assessed } from './assess';
import { timeClaim } from './claim-times';
import { withCompetition } from './competing-claims';
import { lastingDoubtsAbout, withLastingDoubts } from './lasting-doubts';
import { isUnspent, type Claim, type Evidence, type Intent, type Terms } from './facts';
import { decideEarlyClaim, decideSeenClaim, decideUnseenClaim, type ClaimDecision } from './decide-claim';
import type { LastingDoubt, MatchDoubt, ReviewReason } from './reasons';
import { mayIntentMove } from './lifecycle';
import { failedRules } from './rules';
import type { Candidate } from './working-set';

/** The outcome of the rules for one SMS. */
export type MatchOutcome =
  | {
      readonly kind: 'matched';
      readonly path: MatchPath;
      readonly reason: Extract<MatchReason, 'reference_match' | 'trx_id_match'>;
      readonly intent: Intent;
      readonly checks: Checks;
    }
  | Doubt
  | { readonly kind: 'pending'; readonly reason: Extract<MatchReason, 'no_reference' | 'reference_not_found'> }
  | { readonly kind: 'failed'; readonly reason: Extract<MatchReason, 'method_not_allowed'> }
  | { readonly kind: 'duplicate'; readonly reason: Extract<MatchReason, 'duplicate_trx_id' | 'older_than_records'> }
  | { readonly kind: 'lapsed'; readonly reason: Extract<MatchReason, 'match_window_over'> }
  | { readonly kind: 'unparsed'; readonly reason: string };

/** Evidence that leads to an intent and needs a review. */
export interface Doubt {
  readonly kind: 'review';
  readonly path: MatchPath;
  readonly reason: ReviewReason;
  readonly intent: Intent;
  readonly checks: Checks;
  /** The intent itself becomes REVIEW_REQUIRED, if it is not yet. */
  readonly concernsIntent: boolean;
  readonly paidInTime: boolean | undefined;
  readonly doubts: readonly MatchDoubt[];
}

export interface ClaimWithIntent {
  readonly claim: Claim;
  /** Undefined while the reconciler does not know the intent. */
  readonly intent: Intent | undefined;
  /** It was submitted again and takes part as it was before: its latest submission is decided next. */
  readonly isAnsweredLater: boolean;
}

export interface Question {
  readonly evidence: Evidence;
  /** The intent that the evidence's reference names. */
  readonly named: Intent | undefined;
  /** Open claims of the evidence's TrxID, oldest first. */
  readonly claimsWithIntents: readonly ClaimWithIntent[];
  /** Further open claims may exist that are not part of this decision. */
  readonly hasMoreClaims: boolean;
  readonly lastingDoubts: readonly LastingDoubt[];
  readonly terms: Terms;
}

export interface EvidenceDecision {
  readonly match: MatchOutcome;
  /** Further intents of doubtful claims of this TrxID, and the match's own intent if only a claim causes the doubt. */
  readonly furtherDoubts: readonly Doubt[];
  readonly candidates: readonly Candidate[];
  readonly claims: readonly { readonly claim: Claim; readonly claimDecision: ClaimDecision }[];
}

/** Whether a parsed SMS becomes evidence. `original`: stored evidence of the same provider and TrxID. */
export function refuse(
  evidence: Evidence,
  original: Evidence | undefined,
  terms: Terms,
  now: Date,
): Extract<MatchOutcome, { kind: 'duplicate' | 'failed' }> | undefined {
  if (original !== undefined) return { kind: 'duplicate', reason: 'duplicate_trx_id' };
  if (mayBeForgotten(evidence, terms, now)) return { kind: 'duplicate', reason: 'older_than_records' };
  if (!terms.enabledMethods.has(evidence.method)) return { kind: 'failed', reason: 'method_not_allowed' };
  return undefined;
}

/**
 * Its TrxID may have paid an intent whose record is already deleted, so it must not pay another. SANDBOX accepts sample
 * texts of any age.
 */
function mayBeForgotten({ tenant, providerTime }: Evidence, { recordRetentionMs }: Terms, now: Date): boolean {
  return tenant.environment === 'LIVE' && now.getTime() - providerTime.getTime() >= recordRetentionMs;
}

/**
 * Decides unused evidence by its reference first, then by the claims of its TrxID in order of age. The result does not
 * depend on the order of arrival.
 */
export function decideEvidence(question: Question): EvidenceDecision {
  if (!isUnspent(question.evidence)) throw new Error('invariant: only unused evidence is decided');
  const all = assessAll(question);
  const competing = withCompetition(
    question.evidence,
    all.filter(({ isEarly }) => !isEarly),
    question,
  );
  const lastingDoubts = lastingDoubtsAbout(question.evidence, competing, question.lastingDoubts);
  const assessed = withLastingDoubts(competing, lastingDoubts);
  const early = all.filter(({ isEarly }) => isEarly);
  return answer(question, assessed, matchOf({ ...question, lastingDoubts }, assessed), early);
}

/**
 * Decides the claims of evidence that has paid: claims of the paid intent are matched again, all others are duplicates.
 */
export function decideLateClaims(question: Question, payee: string): EvidenceDecision['claims'] {
  return decideClaims(question, assessAll(question), payee);
}

function assessAll({ evidence, named, claimsWithIntents, terms }: Question): Assessed[] {
  const assessed: Assessed[] = [];
  if (named !== undefined) {
    const path = 'REFERENCE';
    const assessment = assess({ path, evidence, intent: named, named, terms });
    assessed.push({ path, intent: named, assessment, claim: undefined, isEarly: false });
  }
  for (const { claim, intent } of claimsWithIntents) {
    if (intent === undefined) continue;
    const path = 'TRX_ID';
    const timed = timeClaim(claim, evidence);
    const assessment = assess({ path, evidence, intent, named, terms, claim: timed.claim });
    assessed.push({ path, intent, assessment, claim, isEarly: timed.isEarly });
  }
  return assessed;
}

function matchOf({ evidence, lastingDoubts }: Question, assessed: readonly Assessed[]): MatchOutcome {
  for (const { path, intent, assessment } of assessed) {
    if (assessment.kind !== 'pays') continue;
    const reason = path === 'REFERENCE' ? 'reference_match' : 'trx_id_match';
    return { kind: 'matched', path, reason, intent, checks: assessment.checks };
  }
  const doubt = mainDoubt(doubtsOf(assessed), lastingDoubts);
  if (doubt !== undefined) return doubt;
  return { kind: 'pending', reason: evidence.referenceKey === undefined ? 'no_reference' : 'reference_not_found' };
}

/**
 * The first one, unless it is of a claim of a rejected intent, which costs nothing: then one about an intent that can
 * still be paid, or that was paid. If only a person may decide, one about an open intent precedes it.
 */
function mainDoubt(doubts: readonly Doubt[], lasting: readonly LastingDoubt[]): Doubt | undefined {
  const [first] = doubts;
  const isClaimOfRejected = first?.path === 'TRX_ID' && first.intent.status === 'REJECTED';
  if (lasting.length === 0 && !isClaimOfRejected) return first;
  const open = doubts.find(({ concernsIntent }) => concernsIntent);
  if (!isClaimOfRejected) return open ?? first;
  const payable = doubts.find(({ intent }) => mayIntentMove(intent.status, 'PAID', 'person'));
  return open ?? payable ?? doubts.find(({ intent }) => intent.status !== 'REJECTED') ?? first;
}

function doubtsOf(assessed: readonly Assessed[]): Doubt[] {
  return assessed.flatMap(({ path, intent, assessment }) =>
    assessment.kind === 'review' ? [{ ...assessment, path, intent }] : [],
  );
}

function answer(
  question: Question,
  assessed: readonly Assessed[],
  match: MatchOutcome,
  early: readonly Assessed[],
): EvidenceDecision {
  const payee = match.kind === 'matched' ? match.intent.id : undefined;
  const moved = match.kind === 'review' && match.concernsIntent ? match.intent.id : undefined;
  return {
    match,
    furtherDoubts:
      payee === undefined
        ? doubtsOf(assessed).filter((doubt) => doubt.concernsIntent && doubt.intent.id !== moved)
        : [],
    candidates: assessed.slice(0, MOST_CANDIDATES).map(asCandidate),
    claims: decideClaims(question, [...assessed, ...early], payee),
  };
}

function decideClaims(
  { claimsWithIntents }: Question,
  assessed: readonly Assessed[],
  payee: string | undefined,
): EvidenceDecision['claims'] {
  const byClaim = new Map(assessed.map((each) => [each.claim?.id, each]));
  return claimsWithIntents.flatMap(({ claim, intent, isAnsweredLater }) => {
    if (isAnsweredLater) return [];
    const seen = byClaim.get(claim.id);
    const claimDecision =
      seen === undefined ? decideUnseenClaim(claim, intent) : decideAssessedClaim(claim, seen, payee);
    return [{ claim, claimDecision }];
  });
}

/** After the evidence has paid, an early claim gets the same answer as any other. */
function decideAssessedClaim(
  claim: Claim,
  { intent, assessment, isEarly }: Assessed,
  payee: string | undefined,
): ClaimDecision {
  return isEarly && payee === undefined
    ? decideEarlyClaim(claim, intent)
    : decideSeenClaim(claim, intent, assessment, payee);
}

function asCandidate({ path, intent, assessment }: Assessed): Candidate {
  const doubts = assessment.kind === 'review' ? assessment.doubts : [];
  return {
    paymentIntentId: intent.id,
    path,
    reason: assessment.kind === 'pays' ? 'pays' : assessment.reason,
    failedRules: failedRules(assessment.checks),
    ...(doubts.length > 0 ? { doubts } : {}),
  };
}
