import { CHECK_NAMES, type CheckName, type CheckResult, type Checks, type MatchPath } from '@pay/contracts';
import { isOpen, sameTenant, type Claim, type Evidence, type Intent, type Terms } from './facts';

/** The input of the checks: may this evidence pay this intent on this path? */
export type Case = ReferenceCase | TrxIdCase;

interface Parties {
  readonly evidence: Evidence;
  readonly intent: Intent;
  readonly terms: Terms;
  /** The intent that the evidence's reference names. */
  readonly named: Intent | undefined;
}
export interface ReferenceCase extends Parties {
  readonly path: Extract<MatchPath, 'REFERENCE'>;
}
export interface TrxIdCase extends Parties {
  readonly path: Extract<MatchPath, 'TRX_ID'>;
  readonly claim: Claim;
}

type Rule = (question: Case) => CheckResult;

const passIf = (holds: boolean): CheckResult => (holds ? 'pass' : 'fail');

export const referenceNamesIntent: Rule = ({ intent, named }) => {
  if (named?.id === intent.id) return 'pass';
  return named !== undefined && isOpen(named) ? 'fail' : 'not_applicable';
};

export const amountIsExact: Rule = ({ evidence, intent }) => passIf(evidence.amount === intent.amount);

export const sameEnvironment: Rule = ({ evidence, intent }) => passIf(sameTenant(evidence.tenant, intent.tenant));

/** Any method that this intent has shown; if none is chosen yet, any enabled method. */
export const sameMethod: Rule = ({ evidence, intent, terms }) =>
  passIf(
    intent.shownReceivers.length > 0
      ? intent.shownReceivers.some((shown) => shown.paymentMethod === evidence.method)
      : terms.enabledMethods.has(evidence.method),
  );

/** Any receiver that this intent has shown; if none is chosen yet, any active one of the evidence's method. */
export const sameReceiver: Rule = ({ evidence, intent, terms }) => {
  const { receiverAccountId } = evidence;
  if (receiverAccountId === undefined) return 'fail';
  return passIf(
    intent.shownReceivers.length > 0
      ? intent.shownReceivers.some((shown) => shown.receiverAccountId === receiverAccountId)
      : terms.activeReceivers.get(receiverAccountId) === evidence.method,
  );
};

export const notExpired: Rule = (question) =>
  passIf(question.intent.status !== 'EXPIRED' && cameInTime(question) && isRecentEnough(question));

export const trxIdUnused: Rule = ({ evidence }) => passIf(evidence.state !== 'USED');

/** The seven checks that must hold before money pays an intent. */
export function checkAll(question: Case): Checks {
  return {
    reference: referenceNamesIntent(question),
    amount: amountIsExact(question),
    environment: sameEnvironment(question),
    method: sameMethod(question),
    receiver: sameReceiver(question),
    expiry: notExpired(question),
    reuse: trxIdUnused(question),
  };
}

export function failedRules(checks: Checks): CheckName[] {
  return CHECK_NAMES.filter((name) => checks[name] === 'fail');
}

/** Provider times have minute precision: 10:05 may be any moment up to 10:05:59. */
export const MINUTE_MS = 60_000;
export function byTheMinute(time: Date): number {
  return Math.floor(time.getTime() / MINUTE_MS) * MINUTE_MS;
}

/** Uses the provider's time inside the text, not the time of arrival. */
export function wasPaidInTime({ evidence, intent }: Pick<Case, 'evidence' | 'intent'>): boolean {
  return byTheMinute(evidence.providerTime) <= intent.expiresAt.getTime();
}

/** The money was paid in time, and the text or claim that leads to the intent arrived in time. */
export function cameInTime(question: Case): boolean {
  const here = question.path === 'REFERENCE' ? question.evidence.ingestedAt : question.claim.submittedAt;
  return here <= question.intent.expiresAt && wasPaidInTime(question);
}

/** Sandbox evidence is never too old on the reference path, so that sample texts work. */
export function isRecentEnough({ path, evidence, intent, terms }: Case): boolean {
  if (evidence.state === 'LAPSED') return false;
  if (path === 'REFERENCE' && intent.tenant.environment === 'SANDBOX') return true;
  const allowed = path === 'REFERENCE' ? terms.matchWindowMs : terms.trxIdLeadMs;
  return evidence.providerTime.getTime() >= byTheMinute(new Date(intent.createdAt.getTime() - allowed));
}
