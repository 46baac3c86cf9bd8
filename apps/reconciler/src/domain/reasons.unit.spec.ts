import { amountFromWire, BALANCE_BREAK, MATCH_REASONS, type MatchReason, type PaymentMethod } from '@pay/contracts';
import {
  after,
  aSignal,
  anIntent,
  claimArrives,
  expires,
  intentArrives,
  OTHER_WALLET,
  rejects,
  SHOP,
  smsArrives,
  someEvidence,
  STRICT_TERMS,
  TERMS,
} from '../../test/builders';
import { inMemoryMatching, type InMemoryMatching } from '../../test/in-memory-matching';
import type { Evidence, Intent, Terms } from './facts';
import type { Act } from './decide-review';

/** The arrivals, and the match status for this reason. */
type Scenario = readonly [status: string, happens: (matching: InMemoryMatching) => void, terms?: Terms];

/** One text that names one intent. */
const named =
  (text: Partial<Evidence> = {}, intent: Partial<Intent> = {}) =>
  (matching: InMemoryMatching): void =>
    matching.deliver(intentArrives(anIntent(intent)), smsArrives(someEvidence({ reference: 'INV-1', ...text })));

/** One text, and a claim of its TrxID. */
const claimed =
  (text: Partial<Evidence> = {}, submission: { readonly at?: Date; readonly payerDigits?: string } = {}) =>
  (matching: InMemoryMatching): void => {
    const intent = anIntent();
    const { at, ...claim } = submission;
    const arrival = claimArrives(intent.id, 'DKL4A1B2C3', at, SHOP, claim);
    matching.deliver(intentArrives(intent), smsArrives(someEvidence(text)), arrival);
  };

const DIGITS_REQUIRED: Terms = { ...TERMS, requirePayerDigits: true };

const unpayable =
  (reason: 'receiver_switched_off' | 'merchant_switched_off' | 'method_disabled') =>
  (matching: InMemoryMatching): void => {
    const intent = anIntent();
    const { id: intentId, tenant, referenceKey } = intent;
    matching.deliver(intentArrives(intent), { kind: 'unpayable', tenant, intentId, referenceKey, reason });
  };

const NOTHING_ACCEPTED = { amounts: undefined, method: false, receiver: false, reference: false, doubts: [] };

/** A person acts on a text about an expired intent; a rejection is of one in review. */
const decided =
  (name: Act['name'], ...then: Act['name'][]) =>
  (matching: InMemoryMatching): void => {
    const isRejection = name === 'reject';
    const intent = anIntent({ status: isRejection ? 'PENDING' : 'EXPIRED' });
    const sms = someEvidence({ reference: 'INV-1', ...(isRejection && { amount: amountFromWire('1') }) });
    matching.deliver(intentArrives(intent), smsArrives(sms));
    for (const each of [name, ...then]) {
      const of = { intentId: intent.id };
      const act: Act =
        each === 'resolve' || each === 'link'
          ? { name: each, ...of, acknowledged: NOTHING_ACCEPTED }
          : each === 'reject'
            ? { name: each, ...of, isNamed: false, wasLedTo: false, isLedToElsewhere: false }
            : { name: each };
      matching.deliver({
        kind: 'review',
        tenant: SHOP,
        smsEventId: sms.smsEventId,
        trxId: sms.trxId,
        act,
        referenceKey: sms.referenceKey,
        intent,
        by: 'user:7',
        note: 'The customer called',
      });
    }
  };

const SCENARIOS: Readonly<Record<MatchReason, Scenario>> = {
  reference_match: ['MATCHED', named()],
  trx_id_match: ['MATCHED', claimed()],
  reference_match_amount_mismatch: ['REVIEW_REQUIRED', named({ amount: amountFromWire('499') })],
  trx_id_match_amount_mismatch: ['REVIEW_REQUIRED', claimed({ amount: amountFromWire('499') })],
  wrong_method: ['REVIEW_REQUIRED', named({ method: 'NAGAD_SEND_MONEY', provider: 'NAGAD' })],
  wrong_receiver: ['REVIEW_REQUIRED', named({ receiverAccountId: OTHER_WALLET })],
  receiver_unknown: ['REVIEW_REQUIRED', named({ receiverAccountId: undefined })],
  late_payment: ['REVIEW_REQUIRED', named({}, { status: 'EXPIRED' })],
  intent_closed: ['REVIEW_REQUIRED', named({}, { status: 'FAILED' })],
  intent_already_paid: ['REVIEW_REQUIRED', named({}, { status: 'PAID' })],
  evidence_too_old: ['REVIEW_REQUIRED', claimed({ providerTime: after(-11) })],
  forgery_signals: ['REVIEW_REQUIRED', named({ signals: [aSignal('trx_id_time')] })],
  unsigned_forwarder: ['REVIEW_REQUIRED', named({ authenticity: 'unsigned' })],
  balance_break: ['REVIEW_REQUIRED', named({ signals: [aSignal(BALANCE_BREAK)] }), STRICT_TERMS],
  payer_differs: ['REVIEW_REQUIRED', named({}, { expectedSenderMsisdn: '01911111111' }), STRICT_TERMS],
  claim_before_payment: ['REVIEW_REQUIRED', claimed({}, { at: after(1, 59) })],
  payer_digits_missing: ['REVIEW_REQUIRED', claimed(), DIGITS_REQUIRED],
  payer_digits_differ: ['REVIEW_REQUIRED', claimed({}, { payerDigits: '999' }), DIGITS_REQUIRED],
  competing_claims: [
    'REVIEW_REQUIRED',
    (matching) => {
      const [one, late] = [anIntent({ reference: 'INV-1' }), anIntent({ reference: 'INV-2', createdAt: after(4) })];
      const claims = [one, late].map(({ id }) => claimArrives(id, 'DKL4A1B2C3'));
      matching.deliver(intentArrives(one), ...claims, smsArrives(someEvidence({ amount: amountFromWire('499') })));
      matching.deliver(intentArrives({ ...late, amount: amountFromWire('499') }));
    },
  ],
  other_intent_rejected: [
    'REVIEW_REQUIRED',
    (matching) => {
      const [wrong, payer] = [anIntent({ amount: amountFromWire('499') }), anIntent({ reference: 'INV-2' })];
      const sms = someEvidence();
      matching.deliver(...[wrong, payer].map(intentArrives), smsArrives(sms), claimArrives(wrong.id, sms.trxId));
      matching.deliver(rejects(sms, wrong));
      matching.deliver(claimArrives(payer.id, sms.trxId));
    },
  ],
  contradicting_texts: [
    'REVIEW_REQUIRED',
    (matching) => {
      const forged = someEvidence({ amount: amountFromWire('9000'), signals: [aSignal('trx_id_time')] });
      matching.deliver(intentArrives(anIntent()), smsArrives(forged));
      matching.deliver(smsArrives(someEvidence({ reference: 'INV-1' })));
    },
  ],
  duplicate_trx_id: [
    'DUPLICATE',
    (matching) => matching.deliver(smsArrives(someEvidence()), smsArrives(someEvidence())),
  ],
  older_than_records: [
    'DUPLICATE',
    (matching) => matching.deliver(smsArrives(someEvidence({ providerTime: new Date('2019-01-01T00:00:00Z') }))),
    { ...TERMS, recordRetentionMs: 400 * 86_400_000 },
  ],
  method_not_allowed: ['FAILED', named(), { ...TERMS, enabledMethods: new Set<PaymentMethod>() }],
  no_reference: ['PENDING', (matching) => matching.deliver(smsArrives(someEvidence()))],
  reference_not_found: ['PENDING', (matching) => matching.deliver(smsArrives(someEvidence({ reference: 'NOBODYS' })))],
  match_window_over: [
    'EXPIRED',
    (matching) => {
      const sms = someEvidence();
      matching.deliver(smsArrives(sms), { kind: 'window', tenant: SHOP, smsEventId: sms.smsEventId });
    },
  ],
  intent_expired: [
    'EXPIRED',
    (matching) => {
      const intent = anIntent();
      matching.deliver(intentArrives(intent), expires(intent));
    },
  ],
  receiver_switched_off: ['FAILED', unpayable('receiver_switched_off')],
  merchant_switched_off: ['FAILED', unpayable('merchant_switched_off')],
  method_disabled: ['FAILED', unpayable('method_disabled')],
  approved_by_person: ['MANUALLY_RESOLVED', decided('resolve')],
  linked_by_person: ['MANUALLY_RESOLVED', decided('link')],
  rejected_by_person: ['REJECTED', decided('reject')],
  refunded: ['REJECTED', decided('refunded')],
  not_ours: ['REJECTED', decided('not-ours')],
  reopened: ['REVIEW_REQUIRED', decided('not-ours', 'reopen')],
};

describe('every reason occurs, with one status of the match', () => {
  it.each(MATCH_REASONS)('%s', (reason) => {
    const [status, happens, terms] = SCENARIOS[reason];
    const matching = inMemoryMatching(terms);

    happens(matching);

    expect(matching.decisions.filter((decision) => decision.reason === reason)).toMatchObject([{ status }]);
    const known: readonly string[] = MATCH_REASONS;
    expect(matching.decisions.filter((decision) => !known.includes(decision.reason))).toEqual([]);
  });
});
