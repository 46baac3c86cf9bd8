import { BALANCE_BREAK, isReviewedByDefault, UNSIGNED_FORWARDER, type SmsSignal } from '@pay/contracts';
import { payersAgree } from './payers';
import type { EvidenceDoubt } from './reasons';
import { byTheMinute, MINUTE_MS, type Case } from './rules';

const HOUR_MS = 60 * MINUTE_MS;

/**
 * The doubts of the merchant's rules and of LIVE about this evidence for this intent, the most important first. They
 * depend only on facts, so they are the same at any time.
 */
export function doubtsAbout(question: Case): EvidenceDoubt[] {
  const { evidence, intent, terms } = question;
  const { requirePayerAgreement, reviewOlderThanHours } = terms.evidenceRules;
  const doubts = doubtsAboutText(question);
  if (requirePayerAgreement && !payersAgree(intent.expectedSenderMsisdn, evidence.payerMsisdn)) {
    doubts.push('payer_differs');
  }
  if (reviewOlderThanHours !== null && ageWhenMatched(question) >= reviewOlderThanHours * HOUR_MS) {
    doubts.push('evidence_too_old');
  }
  return doubts;
}

type Text = Pick<Case, 'evidence' | 'terms'>;

/** Those that do not depend on an intent. */
export function doubtsAboutText(text: Text): EvidenceDoubt[] {
  const { signals } = text.evidence;
  const doubts: EvidenceDoubt[] = [];
  if (signals.some((signal) => isForgerySignal(text, signal))) doubts.push('forgery_signals');
  if (isUnsigned(text)) doubts.push('unsigned_forwarder');
  const isBreak = signals.some(({ name }) => name === BALANCE_BREAK);
  if (isBreak && text.terms.evidenceRules.reviewBalanceBreaks) doubts.push('balance_break');
  return doubts;
}

/** Forgery signals count in LIVE without any rule of the merchant; the others count if a rule is on. */
function isForgerySignal({ evidence, terms }: Text, { name }: SmsSignal): boolean {
  const { reviewForgerySignals, relaxedSignals } = terms.evidenceRules;
  if (name === BALANCE_BREAK || relaxedSignals?.includes(name) === true) return false;
  return reviewForgerySignals || (evidence.tenant.environment === 'LIVE' && isReviewedByDefault(name));
}

function isUnsigned({ evidence, terms }: Text): boolean {
  if (evidence.authenticity !== 'unsigned' || evidence.tenant.environment !== 'LIVE') return false;
  return terms.evidenceRules.relaxedSignals?.includes(UNSIGNED_FORWARDER) !== true;
}

/** From the end of the minute in the text until text, intent and claim had arrived. */
function ageWhenMatched(question: Case): number {
  const { evidence, intent } = question;
  const met = [evidence.ingestedAt, intent.createdAt];
  if (question.path === 'TRX_ID') met.push(question.claim.submittedAt);
  return Math.max(...met.map((time) => time.getTime())) - (byTheMinute(evidence.providerTime) + MINUTE_MS);
}
