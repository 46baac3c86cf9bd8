import { amountFromWire } from '@pay/contracts';
import {
  after,
  anIntent,
  claimArrives,
  expires,
  intentArrives,
  SHOP,
  smsArrives,
  someEvidence,
  WALLET,
} from '../../test/builders';
import { inMemoryMatching } from '../../test/in-memory-matching';

const TRX = 'DKL4A1B2C3';
const oneTakaShort = amountFromWire('499');

describe('several arrivals about one intent', () => {
  it('two SMS in one batch: the first ingested pays, the other is reported for a refund', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const first = someEvidence({ reference: 'INV-1', ingestedAt: after(1) });
    const second = someEvidence({ reference: 'INV-1', trxId: 'DKL4A1B2C4', ingestedAt: after(2) });

    matching.deliver(smsArrives(second), intentArrives(intent), smsArrives(first));

    expect(matching.match(first).status).toBe('MATCHED');
    expect(matching.match(second)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'intent_already_paid' });
  });

  it('evidence that names a paid intent can be claimed by another intent of its payer', () => {
    const matching = inMemoryMatching();
    const named = anIntent({ reference: 'INV-1' });
    const claimant = anIntent({ reference: 'INV-2', amount: oneTakaShort });
    const odd = someEvidence({ reference: 'INV-1', amount: oneTakaShort });
    const claim = claimArrives(claimant.id, TRX, after(3), SHOP, { payerDigits: odd.payerMsisdn?.slice(-3) ?? '' });
    matching.deliver(intentArrives(named), intentArrives(claimant), smsArrives(odd), claim);
    expect(matching.intent(claimant.id).status).toBe('PENDING');

    matching.deliver(smsArrives(someEvidence({ reference: 'INV-1', trxId: 'DKL4A1B2C4', ingestedAt: after(4) })));

    expect(matching.intent(named.id).status).toBe('PAID');
    expect(matching.intent(claimant.id).status).toBe('PAID');
    expect(matching.match(odd).intentId).toBe(claimant.id);
  });

  it('a payment in time wins over an expiry in the same batch', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    matching.deliver(intentArrives(intent));

    matching.deliver(expires(intent), smsArrives(someEvidence({ reference: 'INV-1' })));

    expect(matching.intent(intent.id)).toMatchObject({ status: 'PAID', decisionSequence: 1 });
  });

  it('expires an intent once and publishes one decision', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    matching.deliver(intentArrives(intent));

    matching.deliver(expires(intent), expires(intent));
    matching.deliver(expires(intent));

    expect(matching.decisions).toMatchObject([
      { status: 'EXPIRED', reason: 'intent_expired', intent: { status: 'EXPIRED', sequence: 1 }, sms: undefined },
    ]);
  });

  it('does not replace newer facts of an intent by older ones', () => {
    const matching = inMemoryMatching();
    const created = anIntent({ shownReceivers: [] });
    const chosen = anIntent({
      ...created,
      sourceSequence: 2,
      shownReceivers: [{ receiverAccountId: WALLET, paymentMethod: 'BKASH_SEND_MONEY' }],
    });

    matching.deliver(intentArrives(chosen));
    matching.deliver(intentArrives(created));

    expect(matching.intent(created.id)).toMatchObject({ sourceSequence: 2, shownReceivers: chosen.shownReceivers });
  });

  describe.each(['one by one', 'in one batch'])('a claim and three other readings of its TrxID %s', (mode) => {
    function matchingAfter(order: 'stored' | 'arriving') {
      const matching = inMemoryMatching();
      const intent = anIntent();
      const sms = someEvidence({ trxId: TRX });
      const claims = [TRX, 'DKL4A1B2CB', 'DKL4A1B2CC', 'DKL4A1B2CD'].map((trxId, n) =>
        claimArrives(intent.id, trxId, after(2, 15 + 10 * n)),
      );
      const [right, ...others] = claims;
      if (right === undefined) throw new Error('a claim is needed');
      matching.deliver(intentArrives(intent));
      if (order === 'stored') matching.deliver(smsArrives(sms));
      const arrivals = order === 'stored' ? claims : [right, smsArrives(sms), ...others];
      if (mode === 'in one batch') matching.deliver(...arrivals);
      else for (const arrival of arrivals) matching.deliver(arrival);
      return { status: matching.intent(intent.id).status, outcome: matching.claim(right.claim.id).outcome };
    }

    it.each(['stored', 'arriving'] as const)('pay the intent by the text that is %s', (order) => {
      expect(matchingAfter(order)).toEqual({ status: 'PAID', outcome: 'matched' });
    });
  });
});
