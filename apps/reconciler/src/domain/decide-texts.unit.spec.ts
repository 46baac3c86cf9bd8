import { amountFromWire } from '@pay/contracts';
import {
  after,
  anIntent,
  expires,
  HOUR,
  intentArrives,
  NAGAD_WALLET,
  OTHER_WALLET,
  smsArrives,
  someEvidence,
  TEN,
} from '../../test/builders';
import { inMemoryMatching } from '../../test/in-memory-matching';

const oneTakaShort = amountFromWire('499');

describe('an SMS that names an intent', () => {
  it('pays the intent when all seven checks hold', () => {
    const matching = inMemoryMatching();
    const intent = anIntent({ reference: 'INV-1' });
    const sms = someEvidence({ reference: 'inv 1' });

    matching.deliver(intentArrives(intent), smsArrives(sms));

    expect(matching.intent(intent.id)).toMatchObject({ status: 'PAID', decisionSequence: 1 });
    expect(matching.match(sms)).toMatchObject({
      status: 'MATCHED',
      path: 'REFERENCE',
      reason: 'reference_match',
      intentId: intent.id,
    });
    expect(matching.evidence(sms.smsEventId).state).toBe('USED');
    expect(matching.decisions).toMatchObject([
      { status: 'MATCHED', intent: { status: 'PAID', sequence: 1 }, sms: { status: 'MATCHED', sequence: 1 } },
    ]);
  });

  it('with one taka too little puts SMS and intent under review and pays nothing', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const sms = someEvidence({ reference: 'INV-1', amount: oneTakaShort });

    matching.deliver(intentArrives(intent), smsArrives(sms));

    expect(matching.intent(intent.id).status).toBe('REVIEW_REQUIRED');
    expect(matching.match(sms)).toMatchObject({
      status: 'REVIEW_REQUIRED',
      reason: 'reference_match_amount_mismatch',
      expectedAmount: 50_000n,
      receivedAmount: 49_900n,
      checks: { amount: 'fail', reference: 'pass' },
    });
  });

  it.each([
    ['another receiver', { receiverAccountId: OTHER_WALLET }, 'wrong_receiver', 'receiver'],
    ['a receiver that is not known', { receiverAccountId: undefined }, 'receiver_unknown', 'receiver'],
    ['another method', { method: 'NAGAD_SEND_MONEY', provider: 'NAGAD' }, 'wrong_method', 'method'],
  ] as const)('on %s opens an exception and does not change the intent', (_, given, reason, rule) => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const sms = someEvidence({ reference: 'INV-1', ...given });

    matching.deliver(intentArrives(intent), smsArrives(sms));

    expect(matching.intent(intent.id)).toMatchObject({ status: 'PENDING', decisionSequence: 0 });
    expect(matching.match(sms)).toMatchObject({ status: 'REVIEW_REQUIRED', reason, checks: { [rule]: 'fail' } });
  });

  it.each([
    [true, after(4)],
    [false, after(6)],
  ])('after its expiry is a late payment, paid in time: %s by the time in the text', (paidInTime, providerTime) => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const sms = someEvidence({ reference: 'INV-1', providerTime, ingestedAt: after(20) });
    matching.deliver(intentArrives(intent));
    matching.deliver(expires(intent));

    matching.deliver(smsArrives(sms));

    expect(matching.intent(intent.id).status).toBe('EXPIRED');
    expect(matching.match(sms)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'late_payment', paidInTime });
  });

  it.each(['FAILED', 'REJECTED'] as const)(
    'of an intent that is %s opens an exception with the reason intent_closed',
    (status) => {
      const matching = inMemoryMatching();
      const intent = anIntent({ status });
      const sms = someEvidence({ reference: 'INV-1' });

      matching.deliver(intentArrives(intent), smsArrives(sms));

      expect(matching.intent(intent.id).status).toBe(status);
      expect(matching.match(sms)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'intent_closed' });
    },
  );

  it('that is already paid opens an exception with the reason intent_already_paid', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const first = someEvidence({ reference: 'INV-1' });
    const second = someEvidence({ reference: 'INV-1', trxId: 'DKL4A1B2C4', ingestedAt: after(3) });
    matching.deliver(intentArrives(intent), smsArrives(first));

    matching.deliver(smsArrives(second));

    expect(matching.match(second)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'intent_already_paid' });
    expect(matching.intent(intent.id).decisionSequence).toBe(1);
  });

  it('older than the match window goes to review together with its intent', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const sms = someEvidence({
      reference: 'INV-1',
      providerTime: new Date(TEN.getTime() - 73 * HOUR),
      ingestedAt: after(1),
    });

    matching.deliver(intentArrives(intent), smsArrives(sms));

    expect(matching.intent(intent.id).status).toBe('REVIEW_REQUIRED');
    expect(matching.match(sms)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'evidence_too_old' });
  });

  it('pays an intent under review when all checks hold', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const short = someEvidence({ reference: 'INV-1', amount: oneTakaShort });
    const exact = someEvidence({ reference: 'INV-1', trxId: 'DKL4A1B2C4', ingestedAt: after(3) });
    matching.deliver(intentArrives(intent), smsArrives(short));

    matching.deliver(smsArrives(exact));

    expect(matching.intent(intent.id)).toMatchObject({ status: 'PAID', decisionSequence: 2 });
    expect(matching.match(exact).status).toBe('MATCHED');
    expect(matching.match(short)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'intent_already_paid' });
  });

  it('sets the method and receiver of an intent for which none was chosen', () => {
    const matching = inMemoryMatching();
    const intent = anIntent({ shownReceivers: [] });
    const sms = someEvidence({
      reference: 'INV-1',
      provider: 'NAGAD',
      method: 'NAGAD_SEND_MONEY',
      receiverAccountId: NAGAD_WALLET,
    });

    matching.deliver(intentArrives(intent), smsArrives(sms));

    expect(matching.intent(intent.id).status).toBe('PAID');
    expect(matching.decisions[0]?.evidence).toMatchObject({
      method: 'NAGAD_SEND_MONEY',
      receiverAccountId: NAGAD_WALLET,
    });
  });
});
