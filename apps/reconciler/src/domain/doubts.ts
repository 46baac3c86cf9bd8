import { BALANCE_BREAK } from '@pay/contracts';
import { payersAgree } from './payers';
import type { EvidenceDoubt } from './reasons';
import { byTheMinute, MINUTE_MS, type Case } from './rules';

const HOUR_MS = 60 * MINUTE_MS;

/**
 * What the merchant's rules hold against this evidence for this intent, the weightiest first. Beside the seven checks, and judged over
 * facts alone, so that it is the same whenever it is asked.
 */
export function doubtsAbout(question: Case): EvidenceDoubt[] {
  const { evidence, intent, terms } = question;
  const { reviewForgerySignals, reviewBalanceBreaks, requirePayerAgreement, reviewOlderThanHours } =
    terms.evidenceRules;
  const isBreak = ({ name }: { readonly name: string }) => name === BALANCE_BREAK;
  const doubts: EvidenceDoubt[] = [];
  if (reviewForgerySignals && evidence.signals.some((signal) => !isBreak(signal))) doubts.push('forgery_signals');
  if (reviewBalanceBreaks && evidence.signals.some(isBreak)) doubts.push('balance_break');
  if (requirePayerAgreement && !payersAgree(intent.expectedSenderMsisdn, evidence.payerMsisdn)) {
    doubts.push('payer_differs');
  }
  if (reviewOlderThanHours !== null && ageWhenMatched(question) >= reviewOlderThanHours * HOUR_MS) {
    doubts.push('evidence_too_old');
  }
  return doubts;
}

/** From the end of the minute that the text tells to the moment when text, intent and claim were all here. */
function ageWhenMatched(question: Case): number {
  const { evidence, intent } = question;
  const met = [evidence.ingestedAt, intent.createdAt];
  if (question.path === 'TRX_ID') met.push(question.claim.submittedAt);
  return Math.max(...met.map((time) => time.getTime())) - (byTheMinute(evidence.providerTime) + MINUTE_MS);
}
