import { isOpen, type Evidence } from './facts';
import { isSeen, type Assessed } from './assess';
import { agreementOfPayer } from './payers';

/** Different wrong digits for one TrxID after which right digits prove nothing, because they may be guessed. */
export const MOST_WRONG_DIGITS = 3;

/**
 * Limit of open claims of one TrxID that are decided together, the newest of them. Customers who enter the shop's
 * number instead of a TrxID claim the same one; no payment has so many real claims.
 */
export const MOST_OF_A_TRX_ID = 200;

interface Competition {
  /** There may be claims that were not read, so no claim pays. */
  readonly hasMoreClaims: boolean;
}

/**
 * Several open intents claim one TrxID, or its text also leads to an intent that other money has paid, so its customer
 * paid twice: an open one may be paid only if no other of them agrees with the text's payer. Other ended intents do not
 * compete.
 */
export function withCompetition(
  evidence: Evidence,
  assessed: readonly Assessed[],
  { hasMoreClaims }: Competition,
): Assessed[] {
  const competing = assessed.filter(({ claim, intent }) => claim !== undefined && isOpen(intent)).filter(isSeen);
  const isGuessed = wrongDigitsOf(evidence, assessed).size >= MOST_WRONG_DIGITS;
  const paid = assessed.filter(({ intent }) => intent.status === 'PAID').filter(isSeen);
  if (intentsOf(competing).size < 2 && paid.length === 0 && !isGuessed && !hasMoreClaims) return [...assessed];
  const agreeing = intentsOf([...competing, ...paid].filter((each) => agrees(evidence, each, isGuessed)));
  const winner = agreeing.size === 1 && !hasMoreClaims ? [...agreeing][0] : undefined;
  return assessed.map((each) =>
    competing.includes(each) && each.intent.id !== winner ? { ...each, assessment: inDoubt(each.assessment) } : each,
  );
}

function intentsOf(assessed: readonly Assessed[]): Set<string> {
  return new Set(assessed.map(({ intent }) => intent.id));
}

function agrees({ payerMsisdn }: Evidence, { intent, claim }: Assessed, isGuessed: boolean): boolean {
  const { expectedSenderMsisdn } = intent;
  const payerDigits = claim?.payerDigits;
  if (agreementOfPayer({ expectedSenderMsisdn, payerDigits }, payerMsisdn) !== 'agrees') return false;
  return !isGuessed || agreementOfPayer({ expectedSenderMsisdn }, payerMsisdn) === 'agrees';
}

/** Of all intents, also of those that have ended. */
function wrongDigitsOf({ payerMsisdn }: Evidence, assessed: readonly Assessed[]): Set<string> {
  const given = assessed.flatMap(({ claim }) => claim?.payerDigits ?? []);
  return new Set(given.filter((payerDigits) => agreementOfPayer({ payerDigits }, payerMsisdn) === 'differs'));
}

/** An existing reason is not replaced. */
function inDoubt(assessment: Assessed['assessment']): Assessed['assessment'] {
  if (assessment.kind === 'review') return { ...assessment, doubts: [...assessment.doubts, 'competing_claims'] };
  if (assessment.kind === 'not_seen') return assessment;
  return {
    kind: 'review',
    reason: 'competing_claims',
    checks: assessment.checks,
    concernsIntent: true,
    paidInTime: undefined,
    doubts: ['competing_claims'],
  };
}
