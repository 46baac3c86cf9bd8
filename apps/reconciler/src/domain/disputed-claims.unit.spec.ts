import {
  after,
  anIntent,
  claimArrives,
  expires,
  intentArrives,
  NAGAD_WALLET,
  OTHER_WALLET,
  SHOP,
  smsArrives,
  someEvidence,
  submittedAgain,
} from '../../test/builders';
import { inMemoryMatching } from '../../test/in-memory-matching';

const TRX = 'DKL4A1B2C3';

describe('a claim of a TrxID that has paid another intent', () => {
  const stolen = (given: { readonly reference?: string } = {}) => {
    const matching = inMemoryMatching();
    const [thief, payer] = [anIntent({ reference: 'INV-1' }), anIntent({ reference: 'INV-2' })];
    const sms = someEvidence(given);
    matching.deliver(...[thief, payer].map(intentArrives), smsArrives(sms), claimArrives(thief.id, TRX, after(2, 30)));
    expect(matching.intent(thief.id).status).toBe('PAID');
    return { matching, thief, payer, sms };
  };

  it('is disputed, with both intents, and answered duplicate_trx_id when a claim paid the other intent', () => {
    const { matching, thief, payer, sms } = stolen();
    const claim = claimArrives(payer.id, TRX, after(3));

    matching.deliver(claim);

    expect(matching.claim(claim.claim.id)).toMatchObject({ state: 'SETTLED', outcome: 'duplicate_trx_id' });
    expect(matching.disputes).toMatchObject([
      { intentId: payer.id, paidIntentId: thief.id, smsEventId: sms.smsEventId, submittedAt: after(3), trxId: TRX },
    ]);
  });

  it.each([
    ['receiver', OTHER_WALLET, 'BKASH_SEND_MONEY', 'wrong_receiver'],
    ['method', NAGAD_WALLET, 'NAGAD_SEND_MONEY', 'wrong_method'],
  ] as const)(
    'is disputed, and answered not_found, when its own intent shows another %s',
    (_, wallet, method, reason) => {
      for (const isClaimedBefore of [true, false]) {
        const matching = inMemoryMatching();
        const shownReceivers = [{ receiverAccountId: wallet, paymentMethod: method }];
        const [payer, thief] = [anIntent({ reference: 'INV-1', shownReceivers }), anIntent({ reference: 'INV-2' })];
        const sms = someEvidence();
        const claim = claimArrives(payer.id, TRX, after(2, 20));
        matching.deliver(...[payer, thief].map(intentArrives), smsArrives(sms));
        if (isClaimedBefore) matching.deliver(claim);

        matching.deliver(claimArrives(thief.id, TRX, after(3)));
        if (!isClaimedBefore) matching.deliver(submittedAgain(claim, after(4)));

        expect([payer, thief].map(({ id }) => matching.intent(id).status)).toEqual(['PENDING', 'PAID']);
        expect(matching.claim(claim.claim.id)).toMatchObject({ state: 'SETTLED', outcome: 'not_found', reason });
        expect(matching.disputes).toMatchObject([
          { intentId: payer.id, paidIntentId: thief.id, smsEventId: sms.smsEventId, trxId: TRX },
        ]);
      }
    },
  );

  it('is not disputed when its intent belongs to another merchant', () => {
    const { matching } = stolen();
    const foreign = anIntent({ tenant: { ...SHOP, merchantId: '01935001-0000-7000-8000-00000000a002' } });
    matching.deliver(intentArrives(foreign));

    matching.deliver(claimArrives(foreign.id, TRX, after(3)));

    expect(matching.disputes).toEqual([]);
  });

  it('is disputed although its own intent has expired', () => {
    const { matching, payer } = stolen();
    matching.deliver(expires(payer));

    matching.deliver(claimArrives(payer.id, TRX, after(7)));

    expect(matching.disputes).toMatchObject([{ intentId: payer.id }]);
  });

  it('is disputed when it came in time, but its text after the expiry, and a later claim of another intent paid', () => {
    const matching = inMemoryMatching();
    const [payer, thief] = [anIntent({ reference: 'INV-1' }), anIntent({ reference: 'INV-2', expiresAt: after(15) })];
    const sms = someEvidence({ ingestedAt: after(8) });
    matching.deliver(...[payer, thief].map(intentArrives), claimArrives(payer.id, TRX, after(3)));
    matching.deliver(expires(payer));
    matching.deliver(smsArrives(sms));

    matching.deliver(claimArrives(thief.id, TRX, after(10)));

    expect([payer, thief].map(({ id }) => matching.intent(id).status)).toEqual(['EXPIRED', 'PAID']);
    expect(matching.disputes).toMatchObject([{ intentId: payer.id, paidIntentId: thief.id }]);
  });

  it('is not disputed when the text names the paid intent', () => {
    const { matching, payer } = stolen({ reference: 'INV-1' });

    matching.deliver(claimArrives(payer.id, TRX, after(3)));

    expect(matching.disputes).toEqual([]);
  });

  it('is not disputed when it was submitted before the payment', () => {
    const { matching, payer } = stolen();

    matching.deliver(claimArrives(payer.id, TRX, after(-1)));

    expect(matching.disputes).toEqual([]);
  });

  it('is not disputed when its own intent is paid', () => {
    const { matching, payer } = stolen();
    matching.deliver(smsArrives(someEvidence({ trxId: 'AAAA000001', reference: 'INV-2' })));

    matching.deliver(claimArrives(payer.id, TRX, after(3)));

    expect(matching.disputes).toEqual([]);
  });

  it('is not disputed when a person has chosen between the two intents', () => {
    const matching = inMemoryMatching();
    const intents = [anIntent({ reference: 'INV-1' }), anIntent({ reference: 'INV-2' })] as const;
    const sms = someEvidence();
    matching.deliver(...intents.map(intentArrives), ...intents.map(({ id }) => claimArrives(id, TRX)), smsArrives(sms));
    const acknowledged = {
      amounts: undefined,
      method: false,
      receiver: false,
      reference: false,
      doubts: ['competing_claims'],
    } as const;

    matching.deliver({
      kind: 'review',
      tenant: SHOP,
      smsEventId: sms.smsEventId,
      trxId: TRX,
      referenceKey: undefined,
      intent: intents[1],
      by: 'user:7',
      note: 'The customer has shown us the receipt',
      act: { name: 'link', intentId: intents[1].id, acknowledged },
    });

    expect(intents.map(({ id }) => matching.intent(id).status)).toEqual(['REVIEW_REQUIRED', 'PAID']);
    expect(matching.disputes).toEqual([]);
  });
});
