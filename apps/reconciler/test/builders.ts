import { randomUUID } from 'node:crypto';
import {
  amountFromWire,
  DEFAULT_EVIDENCE_RULES,
  referenceKey,
  type Environment,
  type EvidenceRules,
  type PaymentMethod,
  type SmsSignal,
  type Tenant,
} from '@pay/contracts';
import type { Arrival, ClaimArrival, IntentArrival } from '../src/domain/arrivals';
import type { Act, ReopenAct } from '../src/domain/decide-review';
import type { Evidence, Intent, Terms } from '../src/domain/facts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** Ten o'clock: intents are created at 10:00 and end at 10:05. */
export const TEN = new Date('2026-11-21T10:00:00.000Z');
export function after(minutes: number, seconds = 0): Date {
  return new Date(TEN.getTime() + minutes * MINUTE + seconds * 1_000);
}

export const SHOP: Tenant = { merchantId: '01935001-0000-7000-8000-00000000a001', environment: 'LIVE' };
export const SANDBOX_SHOP: Tenant = { ...SHOP, environment: 'SANDBOX' };
export const WALLET = '01935005-0000-7000-8000-00000000e001';
export const OTHER_WALLET = '01935005-0000-7000-8000-00000000e002';
export const NAGAD_WALLET = '01935005-0000-7000-8000-00000000e003';

export const TERMS: Terms = {
  enabledMethods: new Set<PaymentMethod>(['BKASH_SEND_MONEY', 'NAGAD_SEND_MONEY']),
  activeReceivers: new Map<string, PaymentMethod>([
    [WALLET, 'BKASH_SEND_MONEY'],
    [OTHER_WALLET, 'BKASH_SEND_MONEY'],
    [NAGAD_WALLET, 'NAGAD_SEND_MONEY'],
  ]),
  matchWindowMs: 72 * HOUR,
  trxIdLeadMs: 10 * MINUTE,
  recordRetentionMs: 36_500 * 24 * HOUR,
  evidenceRules: DEFAULT_EVIDENCE_RULES,
  requirePayerDigits: false,
};

/** Every evidence rule of a merchant. */
export const ALL_RULES: EvidenceRules = {
  reviewForgerySignals: true,
  reviewBalanceBreaks: true,
  requirePayerAgreement: true,
  reviewOlderThanHours: 24,
};
export const STRICT_TERMS: Terms = { ...TERMS, evidenceRules: ALL_RULES };

export function anIntent(given: Partial<Intent> & { readonly reference?: string } = {}): Intent {
  const { reference = 'INV-1', ...rest } = given;
  return {
    id: randomUUID(),
    tenant: SHOP,
    referenceKey: referenceKey(reference),
    amount: amountFromWire('500'),
    status: 'PENDING',
    createdAt: TEN,
    expiresAt: after(5),
    shownReceivers: [{ receiverAccountId: WALLET, paymentMethod: 'BKASH_SEND_MONEY' }],
    expectedTrxId: undefined,
    expectedSenderMsisdn: undefined,
    sourceSequence: 1,
    decisionSequence: 0,
    ...rest,
  };
}

export function someEvidence(given: Partial<Evidence> & { readonly reference?: string | undefined } = {}): Evidence {
  const { reference, ...rest } = given;
  return {
    smsEventId: randomUUID(),
    tenant: SHOP,
    provider: 'BKASH',
    method: 'BKASH_SEND_MONEY',
    trxId: 'DKL4A1B2C3',
    referenceKey: reference === undefined ? undefined : referenceKey(reference),
    amount: amountFromWire('500'),
    receiverAccountId: WALLET,
    receiverMsisdn: '01700000900',
    payerMsisdn: '01812345678',
    providerTime: after(2),
    ingestedAt: after(2, 10),
    state: 'WAITING',
    authenticity: 'device_key',
    signals: [],
    factsSequence: 1,
    signalsSequence: 1,
    revision: 1,
    ...rest,
  };
}

export function arrivalOf(fact: Intent | Evidence): Arrival {
  return 'smsEventId' in fact
    ? { kind: 'sms', tenant: fact.tenant, evidence: fact }
    : { kind: 'intent', tenant: fact.tenant, intent: fact };
}

export function intentArrives(intent: Intent): IntentArrival {
  return { kind: 'intent', tenant: intent.tenant, intent };
}

export function claimArrives(
  intentId: string,
  trxId: string,
  submittedAt: Date = after(3),
  tenant = SHOP,
  given: { readonly id?: string; readonly payerDigits?: string } = {},
): ClaimArrival {
  return { kind: 'claim', tenant, claim: { id: randomUUID(), intentId, trxId, submittedAt, ...given } };
}

/** The same claim, sent again by its customer. */
export function submittedAgain(
  { claim, ...arrival }: ClaimArrival,
  submittedAt: Date,
  payerDigits?: string,
): ClaimArrival {
  return { ...arrival, claim: { ...claim, submittedAt, payerDigits } };
}

export function smsArrives(evidence: Evidence): Arrival {
  return { kind: 'sms', tenant: evidence.tenant, evidence };
}

/** The same text as a later parser understands it. */
export function readAgain(evidence: Evidence, given: Partial<Evidence> = {}): Evidence {
  const sequence = evidence.factsSequence + 1;
  return { ...evidence, factsSequence: sequence, signalsSequence: sequence, ...given };
}

export function unparsedArrives(
  { tenant, smsEventId, ingestedAt }: Evidence,
  sequence = 1,
  reason = 'unknown',
): Arrival {
  return { kind: 'unparsed', tenant, smsEventId, ingestedAt, reason, sequence };
}

export function signalsChange({ tenant, smsEventId }: Evidence, names: readonly string[], sequence = 2): Arrival {
  return { kind: 'signals', tenant, smsEventId, signals: names.map(aSignal), sequence };
}

export function aSignal(name: string): SmsSignal {
  return { name, detail: 'seen in a test' };
}

export function expires(intent: Intent): Arrival {
  return { kind: 'expiry', tenant: intent.tenant, intentId: intent.id };
}

/** A person rejects an intent for a text, by its id or as the one that the match is about. */
export function rejects(
  sms: Pick<Evidence, 'smsEventId' | 'tenant'> & Partial<Evidence>,
  intent: Intent,
  isNamed = false,
): Arrival {
  return {
    kind: 'review',
    tenant: sms.tenant,
    smsEventId: sms.smsEventId,
    trxId: sms.trxId,
    referenceKey: sms.referenceKey,
    intent,
    by: 'user:7',
    note: 'The customer did not pay',
    act: { name: 'reject', intentId: intent.id, isNamed, wasLedTo: false, isLedToElsewhere: false },
  };
}

/** A person closes a text without rejecting an intent. */
export function excludes(sms: Evidence, name: 'refunded' | 'not-ours'): Arrival {
  return actsOn(sms, { name });
}

/** A person reopens a closed text, which is then decided again. */
export function reopens(sms: Evidence, before?: ReopenAct['before']): Arrival[] {
  const { tenant, smsEventId } = sms;
  return [actsOn(sms, { name: 'reopen', before }), { kind: 'reopened', tenant, smsEventId }];
}

function actsOn(sms: Evidence, act: Act): Arrival {
  return {
    kind: 'review',
    tenant: sms.tenant,
    smsEventId: sms.smsEventId,
    trxId: sms.trxId,
    referenceKey: sms.referenceKey,
    intent: undefined,
    by: 'user:7',
    note: 'The customer called',
    act,
  };
}

export function inEnvironment(environment: Environment): Tenant {
  return { ...SHOP, environment };
}
