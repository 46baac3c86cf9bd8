import { isOpen, type Evidence } from './facts';
import type { Assessed } from './decide-evidence';
import { agreementOfPayer } from './payers';

/**
 * Several open intents claim one TrxID: the order of their claims does not show who paid. Only the single intent that
 * agrees with the text's payer may be paid; the others go to review, and ended intents do not compete.
 */
export function withCompetition(evidence: Evidence, assessed: readonly Assessed[]): Assessed[] {
  const competing = assessed.filter(
    ({ claim, intent, assessment }) => claim !== undefined && isOpen(intent) && assessment.kind !== 'not_seen',
  );
  if (intentsOf(competing).size < 2) return [...assessed];
  const agreeing = intentsOf(competing.filter((each) => agrees(evidence, each)));
  const winner = agreeing.size === 1 ? [...agreeing][0] : undefined;
  return assessed.map((each) =>
    competing.includes(each) && each.intent.id !== winner ? { ...each, assessment: inDoubt(each.assessment) } : each,
  );
}

function intentsOf(assessed: readonly Assessed[]): Set<string> {
  return new Set(assessed.map(({ intent }) => intent.id));
}

function agrees({ payerMsisdn }: Evidence, { intent, claim }: Assessed): boolean {
  const { expectedSenderMsisdn } = intent;
  return agreementOfPayer({ expectedSenderMsisdn, payerDigits: claim?.payerDigits }, payerMsisdn) === 'agrees';
}

/** An existing reason is not replaced. */
function inDoubt(assessment: Assessed['assessment']): Assessed['assessment'] {
  if (assessment.kind !== 'pays') return assessment;
  return {
    kind: 'review',
    reason: 'competing_claims',
    checks: assessment.checks,
    concernsIntent: true,
    paidInTime: undefined,
    doubts: ['competing_claims'],
  };
}
