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
import { pureWorld } from '../../test/pure-world';

const oneTakaShort = amountFromWire('499');

describe('an SMS that names an intent', () => {
  it('pays it when all seven checks hold', () => {
    const world = pureWorld();
    const intent = anIntent({ reference: 'INV-1' });
    const sms = someEvidence({ reference: 'inv 1' });

    world.deliver(intentArrives(intent), smsArrives(sms));

    expect(world.intent(intent.id)).toMatchObject({ status: 'PAID', decisionSequence: 1 });
    expect(world.match(sms)).toMatchObject({
      status: 'MATCHED',
      path: 'REFERENCE',
      reason: 'reference_match',
      intentId: intent.id,
    });
    expect(world.evidence(sms.smsEventId).state).toBe('USED');
    expect(world.rulings).toMatchObject([
      { status: 'MATCHED', intent: { status: 'PAID', sequence: 1 }, sms: { status: 'MATCHED', sequence: 1 } },
    ]);
  });

  it('with one taka short puts both under review and pays nothing', () => {
    const world = pureWorld();
    const intent = anIntent();
    const sms = someEvidence({ reference: 'INV-1', amount: oneTakaShort });

    world.deliver(intentArrives(intent), smsArrives(sms));

    expect(world.intent(intent.id).status).toBe('REVIEW_REQUIRED');
    expect(world.match(sms)).toMatchObject({
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
  ] as const)('on %s opens an item and leaves the intent as it is', (_, given, reason, rule) => {
    const world = pureWorld();
    const intent = anIntent();
    const sms = someEvidence({ reference: 'INV-1', ...given });

    world.deliver(intentArrives(intent), smsArrives(sms));

    expect(world.intent(intent.id)).toMatchObject({ status: 'PENDING', decisionSequence: 0 });
    expect(world.match(sms)).toMatchObject({ status: 'REVIEW_REQUIRED', reason, checks: { [rule]: 'fail' } });
  });

  it.each([
    [true, after(4)],
    [false, after(6)],
  ])('after its expiry is late money, paid in time: %s by the time in the text', (paidInTime, providerTime) => {
    const world = pureWorld();
    const intent = anIntent();
    const sms = someEvidence({ reference: 'INV-1', providerTime, ingestedAt: after(20) });
    world.deliver(intentArrives(intent));
    world.deliver(expires(intent));

    world.deliver(smsArrives(sms));

    expect(world.intent(intent.id).status).toBe('EXPIRED');
    expect(world.match(sms)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'late_payment', paidInTime });
  });

  it.each(['FAILED', 'REJECTED'] as const)('of an intent that is %s opens an item: intent_closed', (status) => {
    const world = pureWorld();
    const intent = anIntent({ status });
    const sms = someEvidence({ reference: 'INV-1' });

    world.deliver(intentArrives(intent), smsArrives(sms));

    expect(world.intent(intent.id).status).toBe(status);
    expect(world.match(sms)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'intent_closed' });
  });

  it('that is paid already is money to give back: intent_already_paid', () => {
    const world = pureWorld();
    const intent = anIntent();
    const first = someEvidence({ reference: 'INV-1' });
    const second = someEvidence({ reference: 'INV-1', trxId: 'DKL4A1B2C4', ingestedAt: after(3) });
    world.deliver(intentArrives(intent), smsArrives(first));

    world.deliver(smsArrives(second));

    expect(world.match(second)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'intent_already_paid' });
    expect(world.intent(intent.id).decisionSequence).toBe(1);
  });

  it('older than the match window goes to review together with its intent', () => {
    const world = pureWorld();
    const intent = anIntent();
    const sms = someEvidence({
      reference: 'INV-1',
      providerTime: new Date(TEN.getTime() - 73 * HOUR),
      ingestedAt: after(1),
    });

    world.deliver(intentArrives(intent), smsArrives(sms));

    expect(world.intent(intent.id).status).toBe('REVIEW_REQUIRED');
    expect(world.match(sms)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'evidence_too_old' });
  });

  it('pays an intent under review when all checks hold', () => {
    const world = pureWorld();
    const intent = anIntent();
    const short = someEvidence({ reference: 'INV-1', amount: oneTakaShort });
    const exact = someEvidence({ reference: 'INV-1', trxId: 'DKL4A1B2C4', ingestedAt: after(3) });
    world.deliver(intentArrives(intent), smsArrives(short));

    world.deliver(smsArrives(exact));

    expect(world.intent(intent.id)).toMatchObject({ status: 'PAID', decisionSequence: 2 });
    expect(world.match(exact).status).toBe('MATCHED');
    expect(world.match(short)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'intent_already_paid' });
  });

  it('gives its receiver to an intent for which none was chosen', () => {
    const world = pureWorld();
    const intent = anIntent({ shownReceivers: [] });
    const sms = someEvidence({
      reference: 'INV-1',
      provider: 'NAGAD',
      method: 'NAGAD_SEND_MONEY',
      receiverAccountId: NAGAD_WALLET,
    });

    world.deliver(intentArrives(intent), smsArrives(sms));

    expect(world.intent(intent.id).status).toBe('PAID');
    expect(world.rulings[0]?.evidence).toMatchObject({ method: 'NAGAD_SEND_MONEY', receiverAccountId: NAGAD_WALLET });
  });
});
