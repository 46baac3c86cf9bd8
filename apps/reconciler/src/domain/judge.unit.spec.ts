import { amountFromWire } from '@pay/contracts';
import {
  after,
  anIntent,
  claimArrives,
  expires,
  intentArrives,
  smsArrives,
  someEvidence,
  WALLET,
} from '../../test/builders';
import { pureWorld } from '../../test/pure-world';

const TRX = 'DKL4A1B2C3';
const oneTakaShort = amountFromWire('499');

describe('several things about one intent', () => {
  it('two SMS for it in one batch: the one taken in first pays, the other is money to give back', () => {
    const world = pureWorld();
    const intent = anIntent();
    const first = someEvidence({ reference: 'INV-1', ingestedAt: after(1) });
    const second = someEvidence({ reference: 'INV-1', trxId: 'DKL4A1B2C4', ingestedAt: after(2) });

    world.deliver(smsArrives(second), intentArrives(intent), smsArrives(first));

    expect(world.match(first).status).toBe('MATCHED');
    expect(world.match(second)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'intent_already_paid' });
  });

  it('its payment frees evidence that named it for the one who claims that', () => {
    const world = pureWorld();
    const named = anIntent({ reference: 'INV-1' });
    const claimant = anIntent({ reference: 'INV-2', amount: oneTakaShort });
    const odd = someEvidence({ reference: 'INV-1', amount: oneTakaShort });
    world.deliver(intentArrives(named), intentArrives(claimant), smsArrives(odd), claimArrives(claimant.id, TRX));
    expect(world.intent(claimant.id).status).toBe('PENDING');

    world.deliver(smsArrives(someEvidence({ reference: 'INV-1', trxId: 'DKL4A1B2C4', ingestedAt: after(4) })));

    expect(world.intent(named.id).status).toBe('PAID');
    expect(world.intent(claimant.id).status).toBe('PAID');
    expect(world.match(odd).intentId).toBe(claimant.id);
  });

  it('an expiry and a payment at once: the payment that came in time wins', () => {
    const world = pureWorld();
    const intent = anIntent();
    world.deliver(intentArrives(intent));

    world.deliver(expires(intent), smsArrives(someEvidence({ reference: 'INV-1' })));

    expect(world.intent(intent.id)).toMatchObject({ status: 'PAID', decisionSequence: 1 });
  });

  it('an intent that has ended is expired once and told of once', () => {
    const world = pureWorld();
    const intent = anIntent();
    world.deliver(intentArrives(intent));

    world.deliver(expires(intent), expires(intent));
    world.deliver(expires(intent));

    expect(world.rulings).toMatchObject([
      { status: 'EXPIRED', reason: 'intent_expired', intent: { status: 'EXPIRED', sequence: 1 }, sms: undefined },
    ]);
  });

  it('older facts of an intent never replace newer ones', () => {
    const world = pureWorld();
    const created = anIntent({ shownReceivers: [] });
    const chosen = anIntent({
      ...created,
      sourceSequence: 2,
      shownReceivers: [{ receiverAccountId: WALLET, paymentMethod: 'BKASH_SEND_MONEY' }],
    });

    world.deliver(intentArrives(chosen));
    world.deliver(intentArrives(created));

    expect(world.intent(created.id)).toMatchObject({ sourceSequence: 2, shownReceivers: chosen.shownReceivers });
  });
});
