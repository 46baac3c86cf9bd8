import { amountFromWire, BALANCE_BREAK, DEFAULT_EVIDENCE_RULES, type EvidenceRules } from '@pay/contracts';
import {
  after,
  ALL_RULES,
  anIntent,
  aSignal,
  claimArrives,
  expires,
  HOUR,
  intentArrives,
  signalsChange,
  smsArrives,
  someEvidence,
  STRICT_TERMS,
  TEN,
  TERMS,
} from '../../test/builders';
import { pureWorld } from '../../test/pure-world';
import type { Evidence, Intent } from './facts';
import { payersAgree } from './payers';

const FORGED = [aSignal('trx_id_date')];
const BROKEN = [aSignal(BALANCE_BREAK)];
const OLD = { createdAt: TEN, providerTime: new Date(TEN.getTime() - 30 * HOUR) };

function judged(rules: Partial<EvidenceRules>, given: Partial<Evidence>, asked: Partial<Intent> = {}) {
  const world = pureWorld({ ...TERMS, evidenceRules: { ...DEFAULT_EVIDENCE_RULES, ...rules } });
  const intent = anIntent(asked);
  const sms = someEvidence({ reference: 'INV-1', ...given });
  world.deliver(intentArrives(intent), smsArrives(sms));
  return { world, intent, sms, match: world.match(sms), status: world.intent(intent.id).status };
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
    ['money of yesterday', { reviewOlderThanHours: 24 }, { providerTime: OLD.providerTime }, {}, 'evidence_too_old'],
  ] as const;

  it.each(cases)(
    'that is on leaves %s to a person, with the seven checks as they are',
    (_, rule, given, asked, reason) => {
      const { match, status, world, sms } = judged(rule, given, asked);

      expect(status).toBe('REVIEW_REQUIRED');
      expect(match).toMatchObject({ status: 'REVIEW_REQUIRED', reason, doubts: [reason] });
      expect(Object.values(match.checks ?? {})).not.toContain('fail');
      expect(world.evidence(sms.smsEventId).state).toBe('REVIEW');
    },
  );

  it.each(cases)('that is off lets %s pay', (_, _rule, given, asked) => {
    const { match, status } = judged({}, given, asked);

    expect(status).toBe('PAID');
    expect(match).toMatchObject({ status: 'MATCHED', doubts: [] });
  });

  it('about forgers says nothing about balances, nor the other way round', () => {
    expect(judged({ reviewForgerySignals: true }, { signals: BROKEN }).status).toBe('PAID');
    expect(judged({ reviewBalanceBreaks: true }, { signals: FORGED }).status).toBe('PAID');
  });

  it('names the weightiest doubt as the reason and keeps all', () => {
    const { match } = judged(ALL_RULES, { signals: [...BROKEN, ...FORGED], providerTime: OLD.providerTime });

    expect(match).toMatchObject({
      reason: 'forgery_signals',
      doubts: ['forgery_signals', 'balance_break', 'evidence_too_old'],
    });
  });

  it('comes after a wrong amount, which stays the reason', () => {
    const { match } = judged(ALL_RULES, { signals: FORGED, amount: amountFromWire('499') });

    expect(match).toMatchObject({ reason: 'reference_match_amount_mismatch', doubts: ['forgery_signals'] });
  });

  it('does not pay an expired intent, and does not change that its money is late', () => {
    const world = pureWorld(STRICT_TERMS);
    const intent = anIntent();
    const sms = someEvidence({ reference: 'INV-1', ingestedAt: after(9), signals: FORGED });
    world.deliver(intentArrives(intent), expires(intent));

    world.deliver(smsArrives(sms));

    expect(world.match(sms)).toMatchObject({ reason: 'late_payment', paidInTime: true, doubts: ['forgery_signals'] });
  });

  it('holds on the TrxID path too, and tells the claimant nothing of it', () => {
    const world = pureWorld(STRICT_TERMS);
    const intent = anIntent();
    const claim = claimArrives(intent.id, 'DKL4A1B2C3');
    const sms = someEvidence({ signals: FORGED });

    world.deliver(intentArrives(intent), smsArrives(sms), claim);

    expect(world.intent(intent.id).status).toBe('REVIEW_REQUIRED');
    expect(world.match(sms)).toMatchObject({ path: 'TRX_ID', reason: 'forgery_signals' });
    expect(world.claim(claim.claim.id)).toMatchObject({ outcome: 'not_found', reason: 'forgery_signals' });
  });

  it('does not consume what it doubts: an intent for which nothing is doubtful takes it', () => {
    const world = pureWorld(STRICT_TERMS);
    const doubtful = anIntent({ reference: 'INV-1', expectedSenderMsisdn: '01911111111' });
    const honest = anIntent({ reference: 'INV-2', expectedSenderMsisdn: '01812345678' });
    const sms = someEvidence();
    world.deliver(intentArrives(doubtful), smsArrives(sms), claimArrives(doubtful.id, sms.trxId));
    expect(world.intent(doubtful.id).status).toBe('REVIEW_REQUIRED');

    world.deliver(intentArrives(honest), claimArrives(honest.id, sms.trxId, after(4)));

    expect(world.intent(honest.id).status).toBe('PAID');
    expect(world.intent(doubtful.id).status).toBe('REVIEW_REQUIRED');
  });

  it('counts the age of money until text, intent and claim were all there, to the end of its minute', () => {
    const providerTime = new Date(TEN.getTime() - 1 * HOUR);
    const rule = { reviewOlderThanHours: 1 };
    const given = { providerTime, ingestedAt: providerTime };

    expect(judged(rule, given, { createdAt: TEN }).status).toBe('PAID');
    expect(judged(rule, given, { createdAt: after(1) }).status).toBe('REVIEW_REQUIRED');
  });
});

describe('signals that change', () => {
  it('clear the doubt and pay the intent at once when all holds', () => {
    const { world, intent, sms, status } = judged(ALL_RULES, { signals: BROKEN });
    expect(status).toBe('REVIEW_REQUIRED');

    world.deliver(signalsChange(sms, []));

    expect(world.intent(intent.id)).toMatchObject({ status: 'PAID', decisionSequence: 2 });
    expect(world.match(sms)).toMatchObject({ status: 'MATCHED', reason: 'reference_match', doubts: [] });
  });

  it('that came before their text stand when it comes, unless they are older', () => {
    const world = pureWorld(STRICT_TERMS);
    const intent = anIntent();
    const sms = someEvidence({ reference: 'INV-1', signals: BROKEN });
    world.deliver(intentArrives(intent), signalsChange(sms, [], 3), signalsChange(sms, ['trx_id_date'], 2));

    world.deliver(smsArrives(sms));

    expect(world.intent(intent.id).status).toBe('PAID');
    expect(world.evidence(sms.smsEventId)).toMatchObject({ signals: [], signalsSequence: 3 });
  });

  it('never replace newer ones, and take no payment back', () => {
    const { world, intent, sms } = judged(ALL_RULES, {});
    world.deliver(signalsChange(sms, ['trx_id_date'], 3), signalsChange(sms, [], 2));

    expect(world.intent(intent.id)).toMatchObject({ status: 'PAID', decisionSequence: 1 });
    expect(world.evidence(sms.smsEventId).signals).toEqual(FORGED);
  });

  it('that only add to the doubt are kept on the match and announced to nobody', () => {
    const { world, sms } = judged(ALL_RULES, { signals: FORGED });
    const told = world.rulings.length;

    world.deliver(signalsChange(sms, ['trx_id_date', BALANCE_BREAK]));

    expect(world.match(sms)).toMatchObject({ reason: 'forgery_signals', doubts: ['forgery_signals', 'balance_break'] });
    expect(world.rulings).toHaveLength(told);
  });
});

describe('two payers', () => {
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
  ])('%s and %s agree: %s, by the digits that are shown', (expected, shown, agree) => {
    expect(payersAgree(expected, shown)).toBe(agree);
  });
});
