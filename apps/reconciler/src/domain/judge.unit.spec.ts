import { amountFromWire, type PaymentMethod } from '@pay/contracts';
import {
  after,
  anIntent,
  claimArrives,
  expires,
  HOUR,
  intentArrives,
  NAGAD_WALLET,
  OTHER_WALLET,
  SANDBOX_SHOP,
  SHOP,
  smsArrives,
  someEvidence,
  TEN,
  TERMS,
  WALLET,
} from '../../test/builders';
import { pureWorld } from '../../test/pure-world';

const TRX = 'DKL4A1B2C3';
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

describe('an SMS of a TrxID that was seen before', () => {
  it('is a duplicate and never evidence', () => {
    const world = pureWorld();
    const intent = anIntent();
    const first = someEvidence({ reference: 'INV-1' });
    const again = someEvidence({ reference: 'INV-1', ingestedAt: after(3) });
    world.deliver(intentArrives(intent), smsArrives(first));

    world.deliver(smsArrives(again));

    expect(world.match(again)).toMatchObject({ status: 'DUPLICATE', reason: 'duplicate_trx_id' });
    expect(world.rulings.at(-1)).toMatchObject({ sms: { status: 'FAILED', sequence: 1 }, intent: undefined });
    expect(() => world.evidence(again.smsEventId)).toThrow();
  });

  it('is found within one batch: the one taken in first is the evidence', () => {
    const world = pureWorld();
    const first = someEvidence({ ingestedAt: after(1) });
    const again = someEvidence({ ingestedAt: after(2) });

    world.deliver(smsArrives(again), smsArrives(first));

    expect(world.match(first).status).toBe('PENDING');
    expect(world.match(again).status).toBe('DUPLICATE');
  });

  it('is no duplicate in the other environment', () => {
    const world = pureWorld();
    world.deliver(smsArrives(someEvidence()));
    const sandbox = someEvidence({ tenant: SANDBOX_SHOP });

    world.deliver(smsArrives(sandbox));

    expect(world.match(sandbox).status).toBe('PENDING');
  });

  it('changes nothing when it is the same SMS, told twice', () => {
    const world = pureWorld();
    const sms = someEvidence();

    world.deliver(smsArrives(sms), smsArrives(sms));
    world.deliver(smsArrives(sms));

    expect(world.rulings).toHaveLength(1);
    expect(world.match(sms).status).toBe('PENDING');
  });

  it('from the same sender in the same second with another TrxID is another payment', () => {
    const world = pureWorld();
    const one = someEvidence();
    const other = someEvidence({ trxId: 'DKL4A1B2C4' });

    world.deliver(smsArrives(one), smsArrives(other));

    expect([world.match(one).status, world.match(other).status]).toEqual(['PENDING', 'PENDING']);
  });
});

describe('an SMS that leads nowhere', () => {
  it('waits, and is judged when its intent arrives', () => {
    const world = pureWorld();
    const intent = anIntent();
    const sms = someEvidence({ reference: 'INV-1' });
    world.deliver(smsArrives(sms));
    expect(world.match(sms)).toMatchObject({ status: 'PENDING', reason: 'reference_not_found' });

    world.deliver(intentArrives(intent));

    expect(world.intent(intent.id).status).toBe('PAID');
    expect(world.rulings.map(({ sms: part }) => part)).toMatchObject([
      { status: 'MATCH_PENDING', sequence: 1 },
      { status: 'MATCHED', sequence: 2 },
    ]);
  });

  it('without a reference never pays an intent by its amount alone', () => {
    const world = pureWorld();
    const intent = anIntent();
    const sms = someEvidence();

    world.deliver(intentArrives(intent), smsArrives(sms));

    expect(world.intent(intent.id).status).toBe('PENDING');
    expect(world.match(sms)).toMatchObject({ status: 'PENDING', reason: 'no_reference' });
  });

  it('is judged again when the customer chooses the method it came by', () => {
    const world = pureWorld();
    const intent = anIntent();
    const sms = someEvidence({
      reference: 'INV-1',
      provider: 'NAGAD',
      method: 'NAGAD_SEND_MONEY',
      receiverAccountId: NAGAD_WALLET,
    });
    world.deliver(intentArrives(intent), smsArrives(sms));
    expect(world.match(sms).status).toBe('REVIEW_REQUIRED');
    const chosen = [
      ...intent.shownReceivers,
      { receiverAccountId: NAGAD_WALLET, paymentMethod: 'NAGAD_SEND_MONEY' as const },
    ];

    world.deliver(intentArrives({ ...intent, sourceSequence: 2, shownReceivers: chosen }));

    expect(world.intent(intent.id).status).toBe('PAID');
  });

  it('expires with the match window, and afterwards only a person links it', () => {
    const world = pureWorld();
    const sms = someEvidence({ reference: 'INV-1' });
    world.deliver(smsArrives(sms));

    world.deliver({ kind: 'window', tenant: SHOP, smsEventId: sms.smsEventId });
    expect(world.match(sms)).toMatchObject({ status: 'EXPIRED', reason: 'match_window_over' });
    expect(world.rulings.at(-1)).toMatchObject({ intent: undefined, sms: { status: 'MATCH_PENDING' } });

    const intent = anIntent();
    world.deliver(intentArrives(intent));
    expect(world.intent(intent.id).status).toBe('REVIEW_REQUIRED');
    expect(world.match(sms)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'match_window_over' });
  });

  it('by a method that is not enabled fails', () => {
    const world = pureWorld({ ...TERMS, enabledMethods: new Set<PaymentMethod>() });
    const sms = someEvidence({ reference: 'INV-1' });

    world.deliver(intentArrives(anIntent()), smsArrives(sms));

    expect(world.match(sms)).toMatchObject({ status: 'FAILED', reason: 'method_not_allowed' });
    expect(world.rulings).toMatchObject([{ sms: { status: 'FAILED' } }]);
  });

  it('whose text is not understood is recorded and never evidence', () => {
    const world = pureWorld();
    const smsEventId = someEvidence().smsEventId;

    world.deliver({ kind: 'unparsed', tenant: SHOP, smsEventId, ingestedAt: TEN, reason: 'not_incoming' });

    expect(world.match({ smsEventId })).toMatchObject({ status: 'UNPARSED', reason: 'not_incoming' });
    expect(world.all().evidence).toEqual([]);
  });

  it('and is understood by a later parser after all is judged then', () => {
    const world = pureWorld();
    const intent = anIntent();
    const sms = someEvidence({ reference: 'INV-1' });
    world.deliver(intentArrives(intent));
    world.deliver({ kind: 'unparsed', tenant: SHOP, smsEventId: sms.smsEventId, ingestedAt: TEN, reason: 'unknown' });

    world.deliver(smsArrives(sms));

    expect(world.intent(intent.id).status).toBe('PAID');
    expect(world.match(sms)).toMatchObject({ status: 'MATCHED', smsSequence: 2 });
  });
});

describe('a TrxID claim', () => {
  it('waits for its SMS and pays when it comes', () => {
    const world = pureWorld();
    const intent = anIntent();
    const claim = claimArrives(intent.id, TRX);
    const sms = someEvidence();
    world.deliver(intentArrives(intent));

    world.deliver(claim);
    expect(world.claim(claim.claim.id)).toMatchObject({ state: 'OPEN', outcome: 'waiting' });

    world.deliver(smsArrives(sms));
    expect(world.intent(intent.id).status).toBe('PAID');
    expect(world.match(sms)).toMatchObject({
      status: 'MATCHED',
      path: 'TRX_ID',
      reason: 'trx_id_match',
      checks: { reference: 'not_applicable' },
    });
    expect(world.claim(claim.claim.id)).toMatchObject({
      state: 'SETTLED',
      outcome: 'matched',
      smsEventId: sms.smsEventId,
    });
    expect(world.toldClaims.map(({ outcome, sequence }) => [outcome, sequence])).toEqual([
      ['waiting', 1],
      ['matched', 2],
    ]);
  });

  it('pays at once when its SMS is there', () => {
    const world = pureWorld();
    const intent = anIntent();
    world.deliver(intentArrives(intent), smsArrives(someEvidence()));

    const claim = claimArrives(intent.id, TRX);
    world.deliver(claim);

    expect(world.intent(intent.id).status).toBe('PAID');
    expect(world.toldClaims.map(({ outcome }) => outcome)).toEqual(['matched']);
  });

  it('before its intent is known is judged when the intent arrives', () => {
    const world = pureWorld();
    const intent = anIntent();
    world.deliver(smsArrives(someEvidence()), claimArrives(intent.id, TRX));

    world.deliver(intentArrives(intent));

    expect(world.intent(intent.id).status).toBe('PAID');
  });

  it('that the merchant expected at creation acts like a claim at creation', () => {
    for (const order of ['intent first', 'sms first']) {
      const world = pureWorld();
      const intent = anIntent({ expectedTrxId: TRX });
      const arrivals = [intentArrives(intent), smsArrives(someEvidence())];

      for (const arrival of order === 'intent first' ? arrivals : arrivals.reverse()) world.deliver(arrival);

      expect(world.intent(intent.id).status).toBe('PAID');
      expect(world.toldClaims).toEqual([]);
    }
  });

  it('of another amount puts the intent under review', () => {
    const world = pureWorld();
    const intent = anIntent();
    const sms = someEvidence({ amount: oneTakaShort });
    const claim = claimArrives(intent.id, TRX);

    world.deliver(intentArrives(intent), smsArrives(sms), claim);

    expect(world.intent(intent.id).status).toBe('REVIEW_REQUIRED');
    expect(world.match(sms)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'trx_id_match_amount_mismatch' });
    expect(world.claim(claim.claim.id)).toMatchObject({ outcome: 'amount_mismatch', smsEventId: sms.smsEventId });
  });

  it.each([
    ['another receiver', { receiverAccountId: OTHER_WALLET }, 'wrong_receiver'],
    [
      'another method',
      { provider: 'NAGAD', method: 'NAGAD_SEND_MONEY', receiverAccountId: NAGAD_WALLET },
      'wrong_method',
    ],
  ] as const)('of money on %s is answered as not seen, the true reason kept inside', (_, given, reason) => {
    const world = pureWorld();
    const intent = anIntent();
    const sms = someEvidence(given);
    const claim = claimArrives(intent.id, TRX);

    world.deliver(intentArrives(intent), smsArrives(sms), claim);

    expect(world.claim(claim.claim.id)).toMatchObject({ outcome: 'not_found', reason });
    expect(world.intent(intent.id).status).toBe('PENDING');
    expect(world.match(sms).status).toBe('PENDING');
  });

  it('of another merchant or environment finds nothing', () => {
    const world = pureWorld();
    const intent = anIntent({ tenant: SANDBOX_SHOP });
    const claim = claimArrives(intent.id, TRX, after(3), SANDBOX_SHOP);

    world.deliver(smsArrives(someEvidence()), intentArrives(intent), claim);

    expect(world.claim(claim.claim.id)).toMatchObject({ outcome: 'waiting', reason: 'trx_id_not_seen' });
  });

  it('for an intent of another merchant leads nowhere', () => {
    const world = pureWorld();
    const foreign = anIntent({ tenant: SANDBOX_SHOP });
    world.deliver(intentArrives(foreign), smsArrives(someEvidence()));

    world.deliver(claimArrives(foreign.id, TRX));

    expect(world.intent(foreign.id).status).toBe('PENDING');
  });

  it('of money that names another open intent is answered as not seen', () => {
    const world = pureWorld();
    const owner = anIntent({ reference: 'INV-1' });
    const thief = anIntent({ reference: 'INV-2', amount: oneTakaShort });
    const sms = someEvidence({ reference: 'INV-1', amount: oneTakaShort });
    const claim = claimArrives(thief.id, TRX);

    world.deliver(intentArrives(owner), intentArrives(thief), smsArrives(sms), claim);

    expect(world.claim(claim.claim.id)).toMatchObject({ outcome: 'not_found', reason: 'names_another_intent' });
    expect(world.intent(thief.id).status).toBe('PENDING');
  });

  it('of money that names an expired intent pays a fresh one: the ordinary recovery', () => {
    const world = pureWorld();
    const old = anIntent({ reference: 'INV-1' });
    const sms = someEvidence({ reference: 'INV-1', providerTime: after(6), ingestedAt: after(6, 30) });
    world.deliver(intentArrives(old));
    world.deliver(expires(old));
    world.deliver(smsArrives(sms));
    expect(world.match(sms).reason).toBe('late_payment');
    const fresh = anIntent({ reference: 'INV-2', createdAt: after(8), expiresAt: after(13) });

    world.deliver(intentArrives(fresh), claimArrives(fresh.id, TRX, after(9)));

    expect(world.intent(fresh.id).status).toBe('PAID');
    expect(world.intent(old.id).status).toBe('EXPIRED');
    expect(world.match(sms)).toMatchObject({ status: 'MATCHED', intentId: fresh.id, path: 'TRX_ID' });
  });

  it('of a TrxID that has paid another intent is answered duplicate_trx_id', () => {
    const world = pureWorld();
    const first = anIntent({ reference: 'INV-1' });
    const second = anIntent({ reference: 'INV-2' });
    const claim = claimArrives(second.id, TRX);
    world.deliver(intentArrives(first), intentArrives(second), smsArrives(someEvidence({ reference: 'INV-1' })));

    world.deliver(claim);

    expect(world.claim(claim.claim.id)).toMatchObject({ outcome: 'duplicate_trx_id', state: 'SETTLED' });
    expect(world.intent(second.id).status).toBe('PENDING');
  });

  it('of a TrxID used on a receiver that the intent has not shown is as not seen, not duplicate', () => {
    const world = pureWorld();
    const first = anIntent({ reference: 'INV-1' });
    const stranger = anIntent({
      reference: 'INV-2',
      shownReceivers: [{ receiverAccountId: OTHER_WALLET, paymentMethod: 'BKASH_SEND_MONEY' }],
    });
    const claim = claimArrives(stranger.id, TRX);
    world.deliver(intentArrives(first), intentArrives(stranger), smsArrives(someEvidence({ reference: 'INV-1' })));

    world.deliver(claim);

    expect(world.claim(claim.claim.id).outcome).toBe('not_found');
  });

  it('of the TrxID that has paid this very intent is matched again', () => {
    const world = pureWorld();
    const intent = anIntent();
    const claim = claimArrives(intent.id, TRX);
    world.deliver(intentArrives(intent), smsArrives(someEvidence({ reference: 'INV-1' })));

    world.deliver(claim);
    world.deliver(claim);

    expect(world.claim(claim.claim.id).outcome).toBe('matched');
    expect(world.toldClaims).toHaveLength(1);
  });

  it('made by twenty customers at once pays one intent, and nineteen hear duplicate_trx_id', () => {
    const world = pureWorld();
    const intents = Array.from({ length: 20 }, (_, n) => anIntent({ reference: `INV-${n}` }));
    world.deliver(smsArrives(someEvidence()), ...intents.map(intentArrives));

    world.deliver(...intents.map(({ id }) => claimArrives(id, TRX)));

    expect(intents.filter(({ id }) => world.intent(id).status === 'PAID')).toHaveLength(1);
    expect(world.all().claims.filter(({ outcome }) => outcome === 'duplicate_trx_id')).toHaveLength(19);
  });

  it('for an expired intent is kept, and opens a late item when its SMS comes', () => {
    const world = pureWorld();
    const intent = anIntent();
    const claim = claimArrives(intent.id, TRX, after(7));
    const sms = someEvidence({ providerTime: after(4), ingestedAt: after(8) });
    world.deliver(intentArrives(intent));
    world.deliver(expires(intent));

    world.deliver(claim);
    expect(world.claim(claim.claim.id)).toMatchObject({ outcome: 'intent_expired', state: 'OPEN' });

    world.deliver(smsArrives(sms));
    expect(world.match(sms)).toMatchObject({
      status: 'REVIEW_REQUIRED',
      reason: 'late_payment',
      paidInTime: true,
      path: 'TRX_ID',
    });
    expect(world.intent(intent.id).status).toBe('EXPIRED');
  });

  it('for an intent that is paid otherwise is answered intent_not_pending', () => {
    const world = pureWorld();
    const intent = anIntent();
    const claim = claimArrives(intent.id, 'DKL4A1B2C9');
    world.deliver(intentArrives(intent), smsArrives(someEvidence({ reference: 'INV-1' })));

    world.deliver(claim);

    expect(world.claim(claim.claim.id).outcome).toBe('intent_not_pending');
  });

  it('of money paid long before the intent existed goes to review', () => {
    const world = pureWorld();
    const intent = anIntent();
    const sms = someEvidence({ providerTime: after(-30), ingestedAt: after(-29) });
    const claim = claimArrives(intent.id, TRX);

    world.deliver(smsArrives(sms), intentArrives(intent), claim);

    expect(world.intent(intent.id).status).toBe('REVIEW_REQUIRED');
    expect(world.match(sms)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'evidence_too_old' });
    expect(world.claim(claim.claim.id).outcome).toBe('not_found');
  });

  it('of another amount by two customers puts both intents under review, with one item', () => {
    const world = pureWorld();
    const [one, two] = [anIntent({ reference: 'INV-1' }), anIntent({ reference: 'INV-2' })];
    const sms = someEvidence({ amount: oneTakaShort });

    world.deliver(intentArrives(one), intentArrives(two), smsArrives(sms));
    world.deliver(claimArrives(one.id, TRX, after(2)));
    world.deliver(claimArrives(two.id, TRX, after(3)));

    expect([world.intent(one.id).status, world.intent(two.id).status]).toEqual(['REVIEW_REQUIRED', 'REVIEW_REQUIRED']);
    expect(world.match(sms).intentId).toBe(one.id);
    expect(world.rulings.at(-1)).toMatchObject({
      paymentIntentId: two.id,
      intent: { id: two.id, sequence: 1 },
      sms: undefined,
    });
  });

  it('takes evidence out of review when all checks hold for its intent', () => {
    const world = pureWorld();
    const short = anIntent({ reference: 'INV-1' });
    const right = anIntent({ reference: 'INV-2', amount: oneTakaShort });
    const sms = someEvidence({ amount: oneTakaShort });
    world.deliver(intentArrives(short), intentArrives(right), smsArrives(sms), claimArrives(short.id, TRX, after(2)));
    expect(world.match(sms).status).toBe('REVIEW_REQUIRED');

    world.deliver(claimArrives(right.id, TRX, after(3)));

    expect(world.intent(right.id).status).toBe('PAID');
    expect(world.intent(short.id).status).toBe('REVIEW_REQUIRED');
    expect(world.match(sms)).toMatchObject({ status: 'MATCHED', intentId: right.id });
  });
});

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
