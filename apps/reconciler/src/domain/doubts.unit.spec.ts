import {
  amountFromWire,
  BALANCE_BREAK,
  DEFAULT_EVIDENCE_RULES,
  FORGERY_SIGNALS,
  HONEST_SIGNALS,
  type EvidenceRules,
} from '@pay/contracts';
import {
  after,
  ALL_RULES,
  anIntent,
  aSignal,
  claimArrives,
  expires,
  HOUR,
  intentArrives,
  readAgain,
  SANDBOX_SHOP,
  signalsChange,
  smsArrives,
  someEvidence,
  STRICT_TERMS,
  TEN,
  TERMS,
} from '../../test/builders';
import { inMemoryMatching } from '../../test/in-memory-matching';
import type { Evidence, Intent } from './facts';
import { payersAgree } from './payers';

/** A signal that honest texts show too, so it counts only if a rule is on. */
const FORGED = [aSignal('grammar')];
const BROKEN = [aSignal(BALANCE_BREAK)];
const OLD = { createdAt: TEN, providerTime: new Date(TEN.getTime() - 30 * HOUR) };

function decided(rules: Partial<EvidenceRules>, given: Partial<Evidence>, asked: Partial<Intent> = {}) {
  const matching = inMemoryMatching({ ...TERMS, evidenceRules: { ...DEFAULT_EVIDENCE_RULES, ...rules } });
  const intent = anIntent(asked);
  const sms = someEvidence({ reference: 'INV-1', ...given });
  matching.deliver(intentArrives(intent), smsArrives(sms));
  return { matching, intent, sms, match: matching.match(sms), status: matching.intent(intent.id).status };
}

describe('a rule of the merchant about evidence', () => {
  const cases = [
    ['a signal of forgers', { reviewForgerySignals: true }, { signals: FORGED }, {}, 'forgery_signals'],
    ['a break in the balance', { reviewBalanceBreaks: true }, { signals: BROKEN }, {}, 'balance_break'],
    [
      'another payer than expected',
      { requirePayerAgreement: true },
      { payerMsisdn: '018****5678' },
      { expectedSenderMsisdn: '01911115678' },
      'payer_differs',
    ],
    [
      'an expected payer that is no mobile number',
      { requirePayerAgreement: true },
      { payerMsisdn: '01812345678' },
      { expectedSenderMsisdn: '0171234567' },
      'payer_differs',
    ],
    ['money of yesterday', { reviewOlderThanHours: 24 }, { providerTime: OLD.providerTime }, {}, 'evidence_too_old'],
  ] as const;

  it.each(cases)(
    'that is on leaves %s to a person, with the seven checks as they are',
    (_, rule, given, asked, reason) => {
      const { match, status, matching, sms } = decided(rule, given, asked);

      expect(status).toBe('REVIEW_REQUIRED');
      expect(match).toMatchObject({ status: 'REVIEW_REQUIRED', reason, doubts: [reason] });
      expect(Object.values(match.checks ?? {})).not.toContain('fail');
      expect(matching.evidence(sms.smsEventId).state).toBe('REVIEW');
    },
  );

  it.each(cases)('that is off lets %s pay', (_, _rule, given, asked) => {
    const { match, status } = decided({}, given, asked);

    expect(status).toBe('PAID');
    expect(match).toMatchObject({ status: 'MATCHED', doubts: [] });
  });

  it('about forgery does not affect balance breaks, and vice versa', () => {
    expect(decided({ reviewForgerySignals: true }, { signals: BROKEN }).status).toBe('PAID');
    expect(decided({ reviewBalanceBreaks: true }, { signals: FORGED }).status).toBe('PAID');
  });

  it('reports the weightiest doubt as the reason and stores all doubts', () => {
    const { match } = decided(ALL_RULES, { signals: [...BROKEN, ...FORGED], providerTime: OLD.providerTime });

    expect(match).toMatchObject({
      reason: 'forgery_signals',
      doubts: ['forgery_signals', 'balance_break', 'evidence_too_old'],
    });
  });

  it('does not replace a wrong amount as the reason', () => {
    const { match } = decided(ALL_RULES, { signals: FORGED, amount: amountFromWire('499') });

    expect(match).toMatchObject({ reason: 'reference_match_amount_mismatch', doubts: ['forgery_signals'] });
  });

  it('does not change the reason late_payment of an expired intent', () => {
    const matching = inMemoryMatching(STRICT_TERMS);
    const intent = anIntent();
    const sms = someEvidence({ reference: 'INV-1', ingestedAt: after(9), signals: FORGED });
    matching.deliver(intentArrives(intent), expires(intent));

    matching.deliver(smsArrives(sms));

    expect(matching.match(sms)).toMatchObject({
      reason: 'late_payment',
      paidInTime: true,
      doubts: ['forgery_signals'],
    });
  });

  it('applies on the TrxID path too and is not shown to the claimant', () => {
    const matching = inMemoryMatching(STRICT_TERMS);
    const intent = anIntent();
    const claim = claimArrives(intent.id, 'DKL4A1B2C3');
    const sms = someEvidence({ signals: FORGED });

    matching.deliver(intentArrives(intent), smsArrives(sms), claim);

    expect(matching.intent(intent.id).status).toBe('REVIEW_REQUIRED');
    expect(matching.match(sms)).toMatchObject({ path: 'TRX_ID', reason: 'forgery_signals' });
    expect(matching.claim(claim.claim.id)).toMatchObject({ outcome: 'not_found', reason: 'forgery_signals' });
  });

  it('leaves doubted evidence available for an intent without a doubt', () => {
    const matching = inMemoryMatching(STRICT_TERMS);
    const doubtful = anIntent({ reference: 'INV-1', expectedSenderMsisdn: '01911111111' });
    const honest = anIntent({ reference: 'INV-2', expectedSenderMsisdn: '01812345678' });
    const sms = someEvidence();
    matching.deliver(intentArrives(doubtful), smsArrives(sms), claimArrives(doubtful.id, sms.trxId));
    expect(matching.intent(doubtful.id).status).toBe('REVIEW_REQUIRED');

    matching.deliver(intentArrives(honest), claimArrives(honest.id, sms.trxId, after(4)));

    expect(matching.intent(honest.id).status).toBe('PAID');
    expect(matching.intent(doubtful.id).status).toBe('REVIEW_REQUIRED');
  });

  it('counts the age of money from the end of its minute until text, intent and claim had arrived', () => {
    const providerTime = new Date(TEN.getTime() - 1 * HOUR);
    const rule = { reviewOlderThanHours: 1 };
    const given = { providerTime, ingestedAt: providerTime };

    expect(decided(rule, given, { createdAt: TEN }).status).toBe('PAID');
    expect(decided(rule, given, { createdAt: after(1) }).status).toBe('REVIEW_REQUIRED');
  });
});

describe('a signal that honest texts never show', () => {
  const SANDBOX = { tenant: SANDBOX_SHOP };

  it.each(FORGERY_SIGNALS)('sends evidence with %s to review in LIVE although the merchant set no rule', (name) => {
    const { match, status } = decided({}, { signals: [aSignal(name)] });

    expect(status).toBe('REVIEW_REQUIRED');
    expect(match).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'forgery_signals', doubts: ['forgery_signals'] });
  });

  it('sends evidence to review when its name is not known to this version', () => {
    expect(decided({}, { signals: [aSignal('a_newer_signal')] }).status).toBe('REVIEW_REQUIRED');
  });

  it.each(HONEST_SIGNALS)('does not include %s, which pays without a rule', (name) => {
    expect(decided({}, { signals: [aSignal(name)] }).status).toBe('PAID');
  });

  it('pays in SANDBOX, so that sample texts work', () => {
    const signals = FORGERY_SIGNALS.map(aSignal);

    expect(decided({}, { ...SANDBOX, signals }, SANDBOX).status).toBe('PAID');
    expect(decided({ reviewForgerySignals: true }, { ...SANDBOX, signals }, SANDBOX).status).toBe('REVIEW_REQUIRED');
  });

  it.each(FORGERY_SIGNALS)(
    'pays with %s once the merchant has relaxed it, but not with another signal as well',
    (name) => {
      const rules = { relaxedSignals: [name] };
      const other = FORGERY_SIGNALS.find((each) => each !== name) ?? name;

      expect(decided(rules, { signals: [aSignal(name)] }).status).toBe('PAID');
      expect(decided({ ...rules, reviewForgerySignals: true }, { signals: [aSignal(name)] }).status).toBe('PAID');
      expect(decided(rules, { signals: [aSignal(name), aSignal(other)] }).status).toBe('REVIEW_REQUIRED');
    },
  );

  it('sends a claimed TrxID to review too, without showing it to the claimant', () => {
    const matching = inMemoryMatching(TERMS);
    const intent = anIntent();
    const claim = claimArrives(intent.id, 'DKL4A1B2C3');
    const sms = someEvidence({ signals: [aSignal('trx_id_time')] });

    matching.deliver(intentArrives(intent), smsArrives(sms), claim);

    expect(matching.intent(intent.id).status).toBe('REVIEW_REQUIRED');
    expect(matching.claim(claim.claim.id)).toMatchObject({ outcome: 'not_found', reason: 'forgery_signals' });
  });
});

describe('evidence from a forwarder app that does not sign the text', () => {
  const UNSIGNED = { authenticity: 'unsigned' } as const;

  it('goes to review in LIVE although the merchant set no rule', () => {
    const { match, status } = decided({}, UNSIGNED);

    expect(status).toBe('REVIEW_REQUIRED');
    expect(match).toMatchObject({ reason: 'unsigned_forwarder', doubts: ['unsigned_forwarder'] });
  });

  it('pays in LIVE once the merchant has relaxed that rule, but not when a forged signal is there as well', () => {
    const rules = { relaxedSignals: ['unsigned_forwarder'] };

    expect(decided(rules, UNSIGNED).status).toBe('PAID');
    expect(decided(rules, { ...UNSIGNED, signals: [aSignal('balance')] }).match).toMatchObject({
      reason: 'forgery_signals',
      doubts: ['forgery_signals'],
    });
  });

  it('pays in SANDBOX', () => {
    expect(decided({}, { ...UNSIGNED, tenant: SANDBOX_SHOP }, { tenant: SANDBOX_SHOP }).status).toBe('PAID');
  });

  it.each(['signed', 'device_key', undefined] as const)('is paid when its authenticity is %s', (authenticity) => {
    expect(decided({}, { authenticity }).status).toBe('PAID');
  });

  it('goes to review when its TrxID is claimed, without showing it to the claimant', () => {
    const matching = inMemoryMatching(TERMS);
    const intent = anIntent();
    const claim = claimArrives(intent.id, 'DKL4A1B2C3');

    matching.deliver(intentArrives(intent), claim, smsArrives(someEvidence(UNSIGNED)));

    expect(matching.intent(intent.id).status).toBe('REVIEW_REQUIRED');
    expect(matching.claim(claim.claim.id)).toMatchObject({ reason: 'unsigned_forwarder' });
  });

  it('stays unsigned when the text is re-parsed without its authenticity', () => {
    const matching = inMemoryMatching(TERMS);
    const sms = someEvidence({ reference: 'INV-1', ...UNSIGNED });
    matching.deliver(smsArrives(sms), smsArrives(readAgain(sms, { authenticity: undefined })));

    matching.deliver(intentArrives(anIntent()));

    expect(matching.match(sms)).toMatchObject({ reason: 'unsigned_forwarder' });
  });
});

describe('signals that change', () => {
  it('remove the doubt and pay the intent immediately when all checks pass', () => {
    const { matching, intent, sms, status } = decided(ALL_RULES, { signals: BROKEN });
    expect(status).toBe('REVIEW_REQUIRED');

    matching.deliver(signalsChange(sms, []));

    expect(matching.intent(intent.id)).toMatchObject({ status: 'PAID', decisionSequence: 2 });
    expect(matching.match(sms)).toMatchObject({ status: 'MATCHED', reason: 'reference_match', doubts: [] });
  });

  it('that arrive before their text apply when it arrives, unless the text has newer ones', () => {
    const matching = inMemoryMatching(STRICT_TERMS);
    const intent = anIntent();
    const sms = someEvidence({ reference: 'INV-1', signals: BROKEN });
    matching.deliver(intentArrives(intent), signalsChange(sms, [], 3), signalsChange(sms, ['grammar'], 2));

    matching.deliver(smsArrives(sms));

    expect(matching.intent(intent.id).status).toBe('PAID');
    expect(matching.evidence(sms.smsEventId)).toMatchObject({ signals: [], signalsSequence: 3 });
  });

  it('never replace newer ones and never revoke a payment', () => {
    const { matching, intent, sms } = decided(ALL_RULES, {});
    matching.deliver(signalsChange(sms, ['grammar'], 3), signalsChange(sms, [], 2));

    expect(matching.intent(intent.id)).toMatchObject({ status: 'PAID', decisionSequence: 1 });
    expect(matching.evidence(sms.smsEventId).signals).toEqual(FORGED);
  });

  it('that only add a doubt are stored on the match and not published', () => {
    const { matching, sms } = decided(ALL_RULES, { signals: FORGED });
    const published = matching.decisions.length;

    matching.deliver(signalsChange(sms, ['grammar', BALANCE_BREAK]));

    expect(matching.match(sms)).toMatchObject({
      reason: 'forgery_signals',
      doubts: ['forgery_signals', 'balance_break'],
    });
    expect(matching.decisions).toHaveLength(published);
  });
});

describe('two payer numbers', () => {
  it.each([
    ['01812345678', '01812345678', true],
    ['01812345678', '+880 1812-345678', true],
    ['01812345678', '01812345679', false],
    ['01812345678', '01812***678', true],
    ['01812345678', '018XXXX5678', true],
    ['01812345678', '018XXXX5679', false],
    ['01812345678', '***678', true],
    ['01812345678', '***679', false],
    ['01812345678', '8801812***78', true],
    ['01812345678', undefined, true],
    [undefined, '01812345678', true],
    ['01812345678', '16216', true],
    ['01812345678', '***', true],
    ['0181234567', '01812345678', false],
    ['hello', '01812345678', false],
    ['hello', '018XXXX5678', false],
    ['018XXXX5678', '01812345678', false],
    ['hello', undefined, false],
  ])('%s and %s agree: %s, by the digits that are shown', (expected, shown, agree) => {
    expect(payersAgree(expected, shown)).toBe(agree);
  });
});
