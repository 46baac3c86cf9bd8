import { agreementOfPayer } from './payers';
import { isBeforePayment } from './claim-times';
import type { ClaimDoubt } from './reasons';
import type { Case } from './rules';

/** Doubts about this claim although all checks pass, the most important first. The reference path has no claim. */
export function claimDoubtsAbout(question: Case): ClaimDoubt[] {
  if (question.path === 'REFERENCE') return [];
  const { claim, evidence, terms } = question;
  const doubts: ClaimDoubt[] = [];
  if (isBeforePayment(claim, evidence)) doubts.push('claim_before_payment');
  // A TrxID that the merchant gave at creation needs no digits: no customer entered any.
  if (terms.requirePayerDigits && claim.source === 'CHECKOUT') {
    const { payerDigits } = claim;
    if (payerDigits === undefined) doubts.push('payer_digits_missing');
    else if (agreementOfPayer({ payerDigits }, evidence.payerMsisdn) !== 'agrees') doubts.push('payer_digits_differ');
  }
  return doubts;
}
