import { type CheckName, type Checks, type MatchPath } from '@pay/contracts';
import { assess, type Assessment } from './assess';
import { timeClaim } from './claim-times';
import { withCompetition } from './competing-claims';
import { isUnspent, type Claim, type Evidence, type Intent, type Terms } from './facts';
import { judgeEarly, judgeSeen, judgeUnseen, type ClaimJudgement } from './judge-claim';
import type { MatchDoubt, MatchReason, NotSeenReason, ReviewReason } from './reasons';
import { failedRules } from './rules';

/** What becomes of one SMS. */
export type MatchDecision =
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

/** Evidence that leads to an intent and leaves a doubt for a person. */
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

/** An intent that was looked at for an SMS, for those who ask later. */
export interface Candidate {
  readonly paymentIntentId: string;
  readonly path: MatchPath;
  readonly reason: ReviewReason | NotSeenReason | 'pays';
  readonly failedRules: readonly CheckName[];
}

export interface Petition {
  readonly claim: Claim;
  /** Undefined while the reconciler does not know the intent. */
  readonly intent: Intent | undefined;
}

export interface Question {
  readonly evidence: Evidence;
  /** The intent that the evidence's reference names. */
  readonly named: Intent | undefined;
  /** Open claims of the evidence's TrxID, oldest first. */
  readonly petitions: readonly Petition[];
  readonly terms: Terms;
}

export interface Decision {
  readonly match: MatchDecision;
  /** Further intents that doubtful claims of this TrxID lead to, and the match's own when only a claim puts it in doubt. */
  readonly furtherDoubts: readonly Doubt[];
  readonly candidates: readonly Candidate[];
  readonly claims: readonly { readonly claim: Claim; readonly judgement: ClaimJudgement }[];
}

const MAX_CANDIDATES = 20;

export interface Assessed {
  readonly path: MatchPath;
  readonly intent: Intent;
  readonly assessment: Assessment;
  readonly claim: Claim | undefined;
  /** A claim that was submitted too early to count: it leads to nothing. */
  readonly isEarly: boolean;
}

/** Whether a parsed SMS becomes evidence at all. `original`: evidence of the same provider and TrxID that is already there. */
export function refuse(
  evidence: Evidence,
  original: Evidence | undefined,
  terms: Terms,
  now: Date,
): Extract<MatchDecision, { kind: 'duplicate' | 'failed' }> | undefined {
  if (original !== undefined) return { kind: 'duplicate', reason: 'duplicate_trx_id' };
  if (mayBeForgotten(evidence, terms, now)) return { kind: 'duplicate', reason: 'older_than_records' };
  if (!terms.enabledMethods.has(evidence.method)) return { kind: 'failed', reason: 'method_not_allowed' };
  return undefined;
}

/** Its TrxID may have paid an intent whose record is deleted by now, so that it must not pay another one. Sample texts of any age work in SANDBOX. */
function mayBeForgotten({ tenant, providerTime }: Evidence, { recordRetentionMs }: Terms, now: Date): boolean {
  return tenant.environment === 'LIVE' && now.getTime() - providerTime.getTime() >= recordRetentionMs;
}

/**
 * Judges unspent evidence over everything that leads from it to an intent: its reference first, then the claims of its TrxID by age.
 * The same facts give the same decision whatever the order in which they arrived.
 */
export function decide(question: Question): Decision {
  if (!isUnspent(question.evidence)) throw new Error('only unspent evidence can be judged');
  const all = assessAll(question);
  const assessed = withCompetition(
    question.evidence,
    all.filter(({ isEarly }) => !isEarly),
  );
  const early = all.filter(({ isEarly }) => isEarly);
  return answer(question, assessed, matchOf(question, assessed), early);
}

/** Judges the claims of evidence that has paid: its own intent's are told so again, all others that it is used. */
export function judgeLateClaims(question: Question, payee: string): Decision['claims'] {
  return judgeClaims(question, assessAll(question), payee);
}

function assessAll({ evidence, named, petitions, terms }: Question): Assessed[] {
  const assessed: Assessed[] = [];
  if (named !== undefined) {
    const path = 'REFERENCE';
    const assessment = assess({ path, evidence, intent: named, named, terms });
    assessed.push({ path, intent: named, assessment, claim: undefined, isEarly: false });
  }
  for (const { claim, intent } of petitions) {
    if (intent === undefined) continue;
    const path = 'TRX_ID';
    const timed = timeClaim(claim, evidence);
    const assessment = assess({ path, evidence, intent, named, terms, claim: timed.claim });
    assessed.push({ path, intent, assessment, ...timed });
  }
  return assessed;
}

function matchOf({ evidence }: Question, assessed: readonly Assessed[]): MatchDecision {
  for (const { path, intent, assessment } of assessed) {
    if (assessment.kind !== 'pays') continue;
    const reason = path === 'REFERENCE' ? 'reference_match' : 'trx_id_match';
    return { kind: 'matched', path, reason, intent, checks: assessment.checks };
  }
  const [doubt] = doubtsOf(assessed);
  if (doubt !== undefined) return doubt;
  return { kind: 'pending', reason: evidence.referenceKey === undefined ? 'no_reference' : 'reference_not_found' };
}

function doubtsOf(assessed: readonly Assessed[]): Doubt[] {
  return assessed.flatMap(({ path, intent, assessment }) =>
    assessment.kind === 'review' ? [{ ...assessment, path, intent }] : [],
  );
}

function answer(
  question: Question,
  assessed: readonly Assessed[],
  match: MatchDecision,
  early: readonly Assessed[],
): Decision {
  const payee = match.kind === 'matched' ? match.intent.id : undefined;
  const moved = match.kind === 'review' && match.concernsIntent ? match.intent.id : undefined;
  return {
    match,
    furtherDoubts:
      payee === undefined
        ? doubtsOf(assessed).filter((doubt) => doubt.concernsIntent && doubt.intent.id !== moved)
        : [],
    candidates: assessed.slice(0, MAX_CANDIDATES).map(asCandidate),
    claims: judgeClaims(question, [...assessed, ...early], payee),
  };
}

function judgeClaims(
  { petitions }: Question,
  assessed: readonly Assessed[],
  payee: string | undefined,
): Decision['claims'] {
  const byClaim = new Map(assessed.map((each) => [each.claim?.id, each]));
  return petitions.map(({ claim, intent }) => {
    const seen = byClaim.get(claim.id);
    const judgement = seen === undefined ? judgeUnseen(claim, intent) : judgeAssessed(claim, seen, payee);
    return { claim, judgement };
  });
}

/** Once the evidence has paid, an early claim is answered like any other. */
function judgeAssessed(
  claim: Claim,
  { intent, assessment, isEarly }: Assessed,
  payee: string | undefined,
): ClaimJudgement {
  return isEarly && payee === undefined ? judgeEarly(claim, intent) : judgeSeen(claim, intent, assessment, payee);
}

function asCandidate({ path, intent, assessment }: Assessed): Candidate {
  return {
    paymentIntentId: intent.id,
    path,
    reason: assessment.kind === 'pays' ? 'pays' : assessment.reason,
    failedRules: failedRules(assessment.checks),
  };
}
