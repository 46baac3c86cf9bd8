import { amountFromWire } from '@pay/contracts';
import {
  after,
  anIntent,
  claimArrives,
  expires,
  intentArrives,
  NAGAD_WALLET,
  OTHER_WALLET,
  SANDBOX_SHOP,
  smsArrives,
  someEvidence,
} from '../../test/builders';
import { inMemoryMatching } from '../../test/in-memory-matching';

const TRX = 'DKL4A1B2C3';
const oneTakaShort = amountFromWire('499');

describe('a TrxID claim', () => {
  it('waits for its SMS and pays when the SMS arrives', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const claim = claimArrives(intent.id, TRX);
    const sms = someEvidence();
    matching.deliver(intentArrives(intent));

    matching.deliver(claim);
    expect(matching.claim(claim.claim.id)).toMatchObject({ state: 'OPEN', outcome: 'waiting' });

    matching.deliver(smsArrives(sms));
    expect(matching.intent(intent.id).status).toBe('PAID');
    expect(matching.match(sms)).toMatchObject({
      status: 'MATCHED',
      path: 'TRX_ID',
      reason: 'trx_id_match',
      checks: { reference: 'not_applicable' },
    });
    expect(matching.claim(claim.claim.id)).toMatchObject({
      state: 'SETTLED',
      outcome: 'matched',
      smsEventId: sms.smsEventId,
    });
    expect(matching.publishedClaims.map(({ outcome, sequence }) => [outcome, sequence])).toEqual([
      ['waiting', 1],
      ['matched', 2],
    ]);
  });

  it('pays immediately when its SMS has arrived before', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    matching.deliver(intentArrives(intent), smsArrives(someEvidence()));

    const claim = claimArrives(intent.id, TRX);
    matching.deliver(claim);

    expect(matching.intent(intent.id).status).toBe('PAID');
    expect(matching.publishedClaims.map(({ outcome }) => outcome)).toEqual(['matched']);
  });

  it('is decided when its intent arrives after it', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    matching.deliver(smsArrives(someEvidence()), claimArrives(intent.id, TRX));

    matching.deliver(intentArrives(intent));

    expect(matching.intent(intent.id).status).toBe('PAID');
  });

  it('is answered when its intent arrives, although its TrxID has paid another intent before', () => {
    const matching = inMemoryMatching();
    const [paid, later] = [anIntent({ reference: 'INV-1' }), anIntent({ reference: 'INV-2' })];
    const claim = claimArrives(later.id, TRX);
    matching.deliver(claim);
    matching.deliver(intentArrives(paid), smsArrives(someEvidence({ reference: 'INV-1' })));
    expect(matching.claim(claim.claim.id)).toMatchObject({ state: 'OPEN', outcome: 'waiting' });

    matching.deliver(intentArrives(later));

    expect(matching.claim(claim.claim.id)).toMatchObject({ state: 'SETTLED', outcome: 'duplicate_trx_id' });
  });

  it('of an expected TrxID acts like a claim at creation', () => {
    for (const order of ['intent first', 'sms first']) {
      const matching = inMemoryMatching();
      const intent = anIntent({ expectedTrxId: TRX });
      const arrivals = [intentArrives(intent), smsArrives(someEvidence({ providerTime: after(0) }))];

      for (const arrival of order === 'intent first' ? arrivals : arrivals.reverse()) matching.deliver(arrival);

      expect(matching.intent(intent.id).status).toBe('PAID');
      expect(matching.publishedClaims).toEqual([]);
    }
  });

  it('of another amount puts the intent under review', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const sms = someEvidence({ amount: oneTakaShort });
    const claim = claimArrives(intent.id, TRX);

    matching.deliver(intentArrives(intent), smsArrives(sms), claim);

    expect(matching.intent(intent.id).status).toBe('REVIEW_REQUIRED');
    expect(matching.match(sms)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'trx_id_match_amount_mismatch' });
    expect(matching.claim(claim.claim.id)).toMatchObject({ outcome: 'amount_mismatch', smsEventId: sms.smsEventId });
  });

  it.each([
    ['another receiver', { receiverAccountId: OTHER_WALLET }, 'wrong_receiver'],
    [
      'another method',
      { provider: 'NAGAD', method: 'NAGAD_SEND_MONEY', receiverAccountId: NAGAD_WALLET },
      'wrong_method',
    ],
  ] as const)('of money on %s is answered as not seen and stored with the true reason', (_, given, reason) => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const sms = someEvidence(given);
    const claim = claimArrives(intent.id, TRX);

    matching.deliver(intentArrives(intent), smsArrives(sms), claim);

    expect(matching.claim(claim.claim.id)).toMatchObject({ outcome: 'not_found', reason });
    expect(matching.intent(intent.id).status).toBe('PENDING');
    expect(matching.match(sms).status).toBe('PENDING');
  });

  it("of another merchant's or environment's TrxID finds nothing", () => {
    const matching = inMemoryMatching();
    const intent = anIntent({ tenant: SANDBOX_SHOP });
    const claim = claimArrives(intent.id, TRX, after(3), SANDBOX_SHOP);

    matching.deliver(smsArrives(someEvidence()), intentArrives(intent), claim);

    expect(matching.claim(claim.claim.id)).toMatchObject({ outcome: 'waiting', reason: 'trx_id_not_seen' });
  });

  it('for an intent of another merchant has no effect', () => {
    const matching = inMemoryMatching();
    const foreign = anIntent({ tenant: SANDBOX_SHOP });
    matching.deliver(intentArrives(foreign), smsArrives(someEvidence()));

    matching.deliver(claimArrives(foreign.id, TRX));

    expect(matching.intent(foreign.id).status).toBe('PENDING');
  });

  it('of money that names another open intent is answered as not seen', () => {
    const matching = inMemoryMatching();
    const owner = anIntent({ reference: 'INV-1' });
    const thief = anIntent({ reference: 'INV-2', amount: oneTakaShort });
    const sms = someEvidence({ reference: 'INV-1', amount: oneTakaShort });
    const claim = claimArrives(thief.id, TRX);

    matching.deliver(intentArrives(owner), intentArrives(thief), smsArrives(sms), claim);

    expect(matching.claim(claim.claim.id)).toMatchObject({ outcome: 'not_found', reason: 'names_another_intent' });
    expect(matching.intent(thief.id).status).toBe('PENDING');
  });

  it('of money that names an expired intent pays a new intent of the customer', () => {
    const matching = inMemoryMatching();
    const old = anIntent({ reference: 'INV-1' });
    const sms = someEvidence({ reference: 'INV-1', providerTime: after(6), ingestedAt: after(6, 30) });
    matching.deliver(intentArrives(old));
    matching.deliver(expires(old));
    matching.deliver(smsArrives(sms));
    expect(matching.match(sms).reason).toBe('late_payment');
    const fresh = anIntent({ reference: 'INV-2', createdAt: after(8), expiresAt: after(13) });

    matching.deliver(intentArrives(fresh), claimArrives(fresh.id, TRX, after(9)));

    expect(matching.intent(fresh.id).status).toBe('PAID');
    expect(matching.intent(old.id).status).toBe('EXPIRED');
    expect(matching.match(sms)).toMatchObject({ status: 'MATCHED', intentId: fresh.id, path: 'TRX_ID' });
  });

  it('of a TrxID that has paid another intent is answered duplicate_trx_id', () => {
    const matching = inMemoryMatching();
    const first = anIntent({ reference: 'INV-1' });
    const second = anIntent({ reference: 'INV-2' });
    const claim = claimArrives(second.id, TRX);
    matching.deliver(intentArrives(first), intentArrives(second), smsArrives(someEvidence({ reference: 'INV-1' })));

    matching.deliver(claim);

    expect(matching.claim(claim.claim.id)).toMatchObject({ outcome: 'duplicate_trx_id', state: 'SETTLED' });
    expect(matching.intent(second.id).status).toBe('PENDING');
  });

  it('of a used TrxID on a receiver that the intent has not shown is answered as not seen, not as duplicate', () => {
    const matching = inMemoryMatching();
    const first = anIntent({ reference: 'INV-1' });
    const unrelated = anIntent({
      reference: 'INV-2',
      shownReceivers: [{ receiverAccountId: OTHER_WALLET, paymentMethod: 'BKASH_SEND_MONEY' }],
    });
    const claim = claimArrives(unrelated.id, TRX);
    matching.deliver(intentArrives(first), intentArrives(unrelated), smsArrives(someEvidence({ reference: 'INV-1' })));

    matching.deliver(claim);

    expect(matching.claim(claim.claim.id).outcome).toBe('not_found');
  });

  it('of the TrxID that has paid the same intent is matched again', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const claim = claimArrives(intent.id, TRX);
    matching.deliver(intentArrives(intent), smsArrives(someEvidence({ reference: 'INV-1' })));

    matching.deliver(claim);
    matching.deliver(claim);

    expect(matching.claim(claim.claim.id).outcome).toBe('matched');
    expect(matching.publishedClaims).toHaveLength(1);
  });

  it('by twenty customers concurrently pays one intent and is answered duplicate_trx_id nineteen times', () => {
    const matching = inMemoryMatching();
    const intents = Array.from({ length: 20 }, (_, n) => anIntent({ reference: `INV-${n}` }));
    matching.deliver(smsArrives(someEvidence()), ...intents.map(intentArrives));

    matching.deliver(...intents.map(({ id }) => claimArrives(id, TRX)));

    expect(intents.filter(({ id }) => matching.intent(id).status === 'PAID')).toHaveLength(1);
    expect(matching.all().claims.filter(({ outcome }) => outcome === 'duplicate_trx_id')).toHaveLength(19);
  });

  it('for an expired intent is stored and opens a late-payment exception when its SMS arrives', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const claim = claimArrives(intent.id, TRX, after(7));
    const sms = someEvidence({ providerTime: after(4), ingestedAt: after(8) });
    matching.deliver(intentArrives(intent));
    matching.deliver(expires(intent));

    matching.deliver(claim);
    expect(matching.claim(claim.claim.id)).toMatchObject({ outcome: 'intent_expired', state: 'OPEN' });

    matching.deliver(smsArrives(sms));
    expect(matching.match(sms)).toMatchObject({
      status: 'REVIEW_REQUIRED',
      reason: 'late_payment',
      paidInTime: true,
      path: 'TRX_ID',
    });
    expect(matching.intent(intent.id).status).toBe('EXPIRED');
  });

  it('for an intent that was paid by other evidence is answered intent_not_pending', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const claim = claimArrives(intent.id, 'DKL4A1B2C9');
    matching.deliver(intentArrives(intent), smsArrives(someEvidence({ reference: 'INV-1' })));

    matching.deliver(claim);

    expect(matching.claim(claim.claim.id).outcome).toBe('intent_not_pending');
  });

  it('of money paid long before the intent existed goes to review', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const sms = someEvidence({ providerTime: after(-30), ingestedAt: after(-29) });
    const claim = claimArrives(intent.id, TRX);

    matching.deliver(smsArrives(sms), intentArrives(intent), claim);

    expect(matching.intent(intent.id).status).toBe('REVIEW_REQUIRED');
    expect(matching.match(sms)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'evidence_too_old' });
    expect(matching.claim(claim.claim.id).outcome).toBe('not_found');
  });

  it('in time and of another amount puts its intent under review although the text arrived too late', () => {
    const matching = inMemoryMatching();
    const intent = anIntent({ reference: 'INV-1' });
    const claim = claimArrives(intent.id, TRX, after(4));
    matching.deliver(intentArrives(intent), claim);

    matching.deliver(smsArrives(someEvidence({ reference: 'INV-1', amount: oneTakaShort, ingestedAt: after(6) })));

    expect(matching.intent(intent.id).status).toBe('REVIEW_REQUIRED');
    expect(matching.claim(claim.claim.id).outcome).toBe('amount_mismatch');
  });

  it('of another amount by two customers puts both intents under review with one exception', () => {
    const matching = inMemoryMatching();
    const [one, two] = [anIntent({ reference: 'INV-1' }), anIntent({ reference: 'INV-2' })];
    const sms = someEvidence({ amount: oneTakaShort });

    matching.deliver(intentArrives(one), intentArrives(two), smsArrives(sms));
    matching.deliver(claimArrives(one.id, TRX, after(2)));
    matching.deliver(claimArrives(two.id, TRX, after(3)));

    expect([matching.intent(one.id).status, matching.intent(two.id).status]).toEqual([
      'REVIEW_REQUIRED',
      'REVIEW_REQUIRED',
    ]);
    expect(matching.match(sms).intentId).toBe(one.id);
    expect(matching.decisions.at(-1)).toMatchObject({
      paymentIntentId: two.id,
      intent: { id: two.id, sequence: 1 },
      sms: undefined,
    });
  });

  it('uses evidence under review when all checks hold for its intent and only it matches the payer', () => {
    const matching = inMemoryMatching();
    const short = anIntent({ reference: 'INV-1' });
    const right = anIntent({ reference: 'INV-2', amount: oneTakaShort, expectedSenderMsisdn: '01812345678' });
    const sms = someEvidence({ amount: oneTakaShort });
    matching.deliver(
      intentArrives(short),
      intentArrives(right),
      smsArrives(sms),
      claimArrives(short.id, TRX, after(2)),
    );
    expect(matching.match(sms).status).toBe('REVIEW_REQUIRED');

    matching.deliver(claimArrives(right.id, TRX, after(3)));

    expect(matching.intent(right.id).status).toBe('PAID');
    expect(matching.intent(short.id).status).toBe('REVIEW_REQUIRED');
    expect(matching.match(sms)).toMatchObject({ status: 'MATCHED', intentId: right.id });
  });
});
