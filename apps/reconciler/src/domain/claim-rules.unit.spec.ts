import { amountFromWire } from '@pay/contracts';
import {
  after,
  anIntent,
  claimArrives,
  expires,
  intentArrives,
  OTHER_WALLET,
  readAgain,
  SHOP,
  smsArrives,
  someEvidence,
  submittedAgain,
  TEN,
  TERMS,
} from '../../test/builders';
import { inMemoryMatching } from '../../test/in-memory-matching';

const TRX = 'DKL4A1B2C3';
const PAYER = '01712345678';
const ONE_TAKA = amountFromWire('1');

describe('the open claims of an intent', () => {
  const ids = ['AAAA000001', 'AAAA000002', 'AAAA000003', 'AAAA000004', 'AAAA000005'];

  it('are the three latest; older claims are settled as dropped and pay nothing', () => {
    for (const isOneBatch of [true, false]) {
      const matching = inMemoryMatching();
      const intent = anIntent();
      const claims = ids.map((trxId, n) => claimArrives(intent.id, trxId, after(2, n)));
      matching.deliver(intentArrives(intent));

      if (isOneBatch) matching.deliver(...claims);
      else for (const claim of claims) matching.deliver(claim);

      expect(claims.map(({ claim: { id } }) => matching.claim(id).outcome)).toEqual([
        ...['dropped', 'dropped'],
        ...['waiting', 'waiting', 'waiting'],
      ]);
      expect(new Set(matching.publishedClaims.map(({ id }) => id)).size).toBe(5);
      matching.deliver(smsArrives(someEvidence({ trxId: ids[1] ?? '' })));
      expect(matching.intent(intent.id).status).toBe('PENDING');
      matching.deliver(smsArrives(someEvidence({ trxId: ids[2] ?? '' })));
      expect(matching.intent(intent.id).status).toBe('PAID');
    }
  });

  it('keep the claim that was submitted again last; a dropped claim that is submitted again replaces the oldest', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const claims = ids.slice(0, 4).map((trxId, n) => claimArrives(intent.id, trxId, after(2, n)));
    matching.deliver(intentArrives(intent), ...claims);
    const [first, second, ...others] = claims;

    if (first !== undefined) matching.deliver(submittedAgain(first, after(3)));

    expect(matching.claim(first?.claim.id ?? '')).toMatchObject({ state: 'OPEN', outcome: 'waiting' });
    expect(matching.claim(second?.claim.id ?? '')).toMatchObject({ state: 'SETTLED', outcome: 'dropped' });
    expect(others.map(({ claim: { id } }) => matching.claim(id).outcome)).toEqual(['waiting', 'waiting']);
    matching.deliver(smsArrives(someEvidence({ trxId: ids[0] ?? '' })));
    expect(matching.intent(intent.id).status).toBe('PAID');
  });

  it('never drop the expected TrxID of the merchant', () => {
    const matching = inMemoryMatching();
    const intent = anIntent({ expectedTrxId: TRX });
    matching.deliver(intentArrives(intent), ...ids.map((trxId, n) => claimArrives(intent.id, trxId, after(2, n))));

    expect(matching.claim(intent.id)).toMatchObject({ state: 'OPEN', source: 'EXPECTED' });
  });

  it('with a stored text stay open beside the three latest claims without one', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const seen = ids.map((trxId) => someEvidence({ trxId, amount: ONE_TAKA }));
    const unseen = ['BBBB000001', 'BBBB000002', 'BBBB000003', 'BBBB000004'];
    const claims = [...ids, ...unseen].map((trxId, n) => claimArrives(intent.id, trxId, after(3, n)));
    matching.deliver(intentArrives(intent), ...seen.map(smsArrives));

    for (const claim of claims) matching.deliver(claim);

    expect(claims.map(({ claim: { id } }) => matching.claim(id).state)).toEqual([
      ...ids.map(() => 'OPEN'),
      ...['SETTLED', 'OPEN', 'OPEN', 'OPEN'],
    ]);
  });

  it('are dropped again after their text was re-parsed with another TrxID', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const sms = someEvidence({ amount: ONE_TAKA });
    const claim = claimArrives(intent.id, TRX, after(2));
    matching.deliver(intentArrives(intent), smsArrives(sms), claim);
    matching.deliver(smsArrives(readAgain(sms, { trxId: 'BBBB000001' })));

    for (const [n, trxId] of ids.entries()) matching.deliver(claimArrives(intent.id, trxId, after(3, n)));

    expect(matching.claim(claim.claim.id)).toMatchObject({ state: 'SETTLED', outcome: 'dropped' });
  });
});

describe('two open intents that claim one TrxID', () => {
  const two = (given: { readonly expectedSenderMsisdn?: string } = {}) =>
    [anIntent({ reference: 'INV-1' }), anIntent({ reference: 'INV-2', ...given })] as const;
  const digits = (payerDigits: string) => ({ payerDigits });

  it('both go to review in any order of their claims', () => {
    const matching = inMemoryMatching();
    const intents = two();
    const sms = someEvidence();
    matching.deliver(...intents.map(intentArrives), ...intents.map(({ id }) => claimArrives(id, TRX)));

    matching.deliver(smsArrives(sms));

    expect(intents.map(({ id }) => matching.intent(id).status)).toEqual(['REVIEW_REQUIRED', 'REVIEW_REQUIRED']);
    expect(matching.match(sms)).toMatchObject({ reason: 'competing_claims', doubts: ['competing_claims'] });
    expect(
      matching
        .match(sms)
        .candidates.map(({ paymentIntentId }) => paymentIntentId)
        .sort(),
    ).toEqual(intents.map(({ id }) => id).sort());
  });

  it('pays the intent whose expected payer the text shows and disputes the other claim', () => {
    const matching = inMemoryMatching();
    const [unrelated, payer] = two({ expectedSenderMsisdn: '01812345678' });
    matching.deliver(
      ...[unrelated, payer].map(intentArrives),
      claimArrives(unrelated.id, TRX),
      claimArrives(payer.id, TRX),
    );

    matching.deliver(smsArrives(someEvidence()));

    expect([unrelated, payer].map(({ id }) => matching.intent(id).status)).toEqual(['PENDING', 'PAID']);
    expect(matching.disputes).toMatchObject([{ intentId: unrelated.id, paidIntentId: payer.id }]);
  });

  it.each(['01812345678', '01812***678', '+8801812XXX678', '***678'])(
    'the one that gives the last digits that the text shows as %s is paid',
    (payerMsisdn) => {
      const matching = inMemoryMatching();
      const [unrelated, payer] = two();
      matching.deliver(...[unrelated, payer].map(intentArrives));
      matching.deliver(claimArrives(unrelated.id, TRX, after(2), SHOP, digits('111')));
      matching.deliver(claimArrives(payer.id, TRX, after(3), SHOP, digits('678')));

      matching.deliver(smsArrives(someEvidence({ payerMsisdn })));

      expect([unrelated, payer].map(({ id }) => matching.intent(id).status)).toEqual(['PENDING', 'PAID']);
    },
  );

  it.each([
    ['both agree', '678', '678'],
    ['neither agrees', '111', '222'],
  ])('both go to review when %s with the digits of the text', (_, one, other) => {
    const matching = inMemoryMatching();
    const intents = two();
    matching.deliver(...intents.map(intentArrives));
    matching.deliver(claimArrives(intents[0].id, TRX, after(2), SHOP, digits(one)));
    matching.deliver(claimArrives(intents[1].id, TRX, after(2), SHOP, digits(other)));

    matching.deliver(smsArrives(someEvidence()));

    expect(intents.map(({ id }) => matching.intent(id).status)).toEqual(['REVIEW_REQUIRED', 'REVIEW_REQUIRED']);
  });

  it.each([
    ['goes to review', {}, ['111', '222', '333'], 'REVIEW_REQUIRED', 'competing_claims'],
    ['is paid after two', {}, ['111', '222', '222'], 'PAID', 'trx_id_match'],
    [
      'is paid with the expected payer',
      { expectedSenderMsisdn: '01812345678' },
      ['111', '222', '333'],
      'PAID',
      'trx_id_match',
    ],
  ])(
    'the one with the right digits %s after others gave different wrong digits',
    (_, given, guesses, status, reason) => {
      const matching = inMemoryMatching({ ...TERMS, requirePayerDigits: true });
      const guessing = guesses.map((_guess, n) => anIntent({ reference: `INV-${n}` }));
      const payer = anIntent({ reference: 'INV-9', ...given });
      const sms = someEvidence();
      matching.deliver(...[...guessing, payer].map(intentArrives), smsArrives(sms));
      guesses.forEach((guess, n) =>
        matching.deliver(claimArrives(guessing[n]?.id ?? '', TRX, after(2, n), SHOP, digits(guess))),
      );

      matching.deliver(claimArrives(payer.id, TRX, after(3), SHOP, digits('678')));

      expect(matching.intent(payer.id).status).toBe(status);
      expect(matching.match(sms)).toMatchObject(status === 'PAID' ? { reason } : { status });
    },
  );

  it('an intent with matching digits but another expected payer does not match', () => {
    const matching = inMemoryMatching();
    const [one, other] = two({ expectedSenderMsisdn: '01911111678' });
    matching.deliver(...[one, other].map(intentArrives), claimArrives(one.id, TRX));
    matching.deliver(claimArrives(other.id, TRX, after(3), SHOP, digits('678')));

    matching.deliver(smsArrives(someEvidence()));

    expect([one, other].map(({ id }) => matching.intent(id).status)).toEqual(['REVIEW_REQUIRED', 'REVIEW_REQUIRED']);
  });

  it('an intent with another amount also competes, because its customer may have paid the wrong amount', () => {
    const matching = inMemoryMatching();
    const [wrong, exact] = [
      anIntent({ reference: 'INV-1', amount: amountFromWire('510') }),
      anIntent({ reference: 'INV-2' }),
    ];
    matching.deliver(...[wrong, exact].map(intentArrives), claimArrives(wrong.id, TRX), claimArrives(exact.id, TRX));

    matching.deliver(smsArrives(someEvidence()));

    expect([wrong, exact].map(({ id }) => matching.intent(id).status)).toEqual(['REVIEW_REQUIRED', 'REVIEW_REQUIRED']);
  });

  it.each([
    ['is no longer open', {}],
    [
      'shows another receiver',
      { shownReceivers: [{ receiverAccountId: OTHER_WALLET, paymentMethod: 'BKASH_SEND_MONEY' as const }] },
    ],
  ])('an intent that %s does not compete', (_, given) => {
    const matching = inMemoryMatching();
    const [ended, payer] = [anIntent({ reference: 'INV-1', ...given }), anIntent({ reference: 'INV-2' })];
    matching.deliver(...[ended, payer].map(intentArrives), claimArrives(ended.id, TRX), claimArrives(payer.id, TRX));
    if (Object.keys(given).length === 0) matching.deliver(expires(ended));

    matching.deliver(smsArrives(someEvidence()));

    expect(matching.intent(payer.id).status).toBe('PAID');
  });

  it('stay in review after further TrxIDs were claimed for one of them and the other claim was sent again', () => {
    const matching = inMemoryMatching();
    const [payer, rival] = two();
    const sms = someEvidence();
    const claim = claimArrives(rival.id, TRX, after(2, 40));
    matching.deliver(...[payer, rival].map(intentArrives), claimArrives(payer.id, TRX, after(2, 20)), claim);
    matching.deliver(smsArrives(sms));
    const others = ['AAAA000001', 'AAAA000002', 'AAAA000003', 'AAAA000004'];
    for (const [n, trxId] of others.entries()) matching.deliver(claimArrives(payer.id, trxId, after(3, n)));

    matching.deliver(submittedAgain(claim, after(4)));

    expect([payer, rival].map(({ id }) => matching.intent(id).status)).toEqual(['REVIEW_REQUIRED', 'REVIEW_REQUIRED']);
    expect(matching.match(sms)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'competing_claims' });
  });

  it('stay in review when both claims are sent again in one batch, and both are answered', () => {
    const matching = inMemoryMatching();
    const intents = two();
    const sms = someEvidence();
    const claims = intents.map(({ id }, n) => claimArrives(id, TRX, after(2, 20 + n)));
    matching.deliver(...intents.map(intentArrives), ...claims, smsArrives(sms));

    matching.deliver(...claims.map((claim, n) => submittedAgain(claim, after(4, n))));

    expect(intents.map(({ id }) => matching.intent(id).status)).toEqual(['REVIEW_REQUIRED', 'REVIEW_REQUIRED']);
    expect(matching.match(sms)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'competing_claims' });
    expect(matching.publishedClaims.slice(-2).map(({ id }) => id)).toEqual(claims.map(({ claim }) => claim.id));
  });

  it.each([
    ['goes to review', {}, undefined, 'REVIEW_REQUIRED'],
    ['goes to review with other digits', {}, '999', 'REVIEW_REQUIRED'],
    ['pays with the digits of the payer', {}, PAYER.slice(-3), 'PAID'],
    ['pays with the expected payer', { expectedSenderMsisdn: PAYER }, undefined, 'PAID'],
  ] as const)(
    'the claim of a text that names an intent which is already paid %s',
    (_case, given, payerDigits, status) => {
      const matching = inMemoryMatching();
      const [paid, other] = [
        anIntent({ reference: 'INV-1', status: 'PAID' }),
        anIntent({ reference: 'INV-2', ...given }),
      ];
      const sms = someEvidence({ reference: 'INV-1', payerMsisdn: PAYER });
      matching.deliver(...[paid, other].map(intentArrives), smsArrives(sms));
      expect(matching.match(sms)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'intent_already_paid' });

      matching.deliver(claimArrives(other.id, TRX, after(3), SHOP, payerDigits === undefined ? {} : { payerDigits }));

      expect(matching.intent(other.id).status).toBe(status);
    },
  );

  it('a text that contains the reference of one intent pays it, whichever customer claims the TrxID', () => {
    const matching = inMemoryMatching();
    const [named, other] = two();
    matching.deliver(...[named, other].map(intentArrives), claimArrives(named.id, TRX), claimArrives(other.id, TRX));

    matching.deliver(smsArrives(someEvidence({ reference: 'INV-1' })));

    expect(matching.intent(named.id).status).toBe('PAID');
    expect(matching.disputes).toEqual([]);
  });
});

describe('when the merchant requires the digits of the payer', () => {
  const terms = { ...TERMS, requirePayerDigits: true };
  const pay = (payerDigits: string | undefined, payerMsisdn: string | undefined = '01812345678') => {
    const matching = inMemoryMatching(terms);
    const intent = anIntent();
    const sms = someEvidence({ payerMsisdn });
    const claim = claimArrives(intent.id, TRX, after(3), SHOP, payerDigits === undefined ? {} : { payerDigits });
    matching.deliver(intentArrives(intent), claim, smsArrives(sms));
    return { matching, intent, sms, claim };
  };

  it.each([
    ['the digits that the text shows', '678', '01812345678', 'MATCHED', 'trx_id_match'],
    ['no digits', undefined, '01812345678', 'REVIEW_REQUIRED', 'payer_digits_missing'],
    ['other digits', '679', '01812345678', 'REVIEW_REQUIRED', 'payer_digits_differ'],
    ['digits that the text does not show', '678', undefined, 'REVIEW_REQUIRED', 'payer_digits_differ'],
    ['digits that the text hides', '678', '01812345***', 'REVIEW_REQUIRED', 'payer_digits_differ'],
  ])('decides a claim with %s', (_, given, shown, status, reason) => {
    const { matching, sms } = pay(given, shown === undefined ? '' : shown);

    expect(matching.match(sms)).toMatchObject({ status, reason });
  });

  it.each([
    ['before the text', true],
    ['after the text', false],
  ])('pays when the submission with the digits arrives %s and after a later one without digits', (_, isBefore) => {
    const matching = inMemoryMatching(terms);
    const intent = anIntent();
    const sms = someEvidence();
    const claim = claimArrives(intent.id, TRX, after(4));
    matching.deliver(intentArrives(intent), claim);
    if (isBefore) matching.deliver(submittedAgain(claim, after(3), '678'));
    matching.deliver(smsArrives(sms));
    if (!isBefore) matching.deliver(submittedAgain(claim, after(3), '678'));

    expect(matching.match(sms)).toMatchObject({ status: 'MATCHED', reason: 'trx_id_match' });
  });

  it('does not replace payer digits that were compared with the text', () => {
    const { matching, intent, claim } = pay('111');

    matching.deliver(submittedAgain(claim, after(4), '678'));

    expect(matching.intent(intent.id).status).toBe('REVIEW_REQUIRED');
    expect(matching.claim(claim.claim.id)).toMatchObject({ payerDigits: '111', reason: 'payer_digits_differ' });
  });

  it('does not replace compared payer digits after further claims of the intent', () => {
    const { matching, intent, claim } = pay('111');
    const others = ['AAAA000001', 'AAAA000002', 'AAAA000003', 'AAAA000004'];
    for (const [n, trxId] of others.entries())
      matching.deliver(claimArrives(intent.id, trxId, after(4, n), SHOP, { payerDigits: '111' }));

    matching.deliver(submittedAgain(claim, after(5), '678'));

    expect(matching.intent(intent.id).status).toBe('REVIEW_REQUIRED');
    expect(matching.claim(claim.claim.id)).toMatchObject({ payerDigits: '111', state: 'OPEN' });
  });

  it('compares one guess of the digits per intent, although claims of own payments follow each guess', () => {
    const { matching, intent, claim } = pay('000');
    const own = ['AAAA000001', 'AAAA000002', 'AAAA000003'].map((trxId) => someEvidence({ trxId, amount: ONE_TAKA }));
    const claims = own.map(({ trxId }) => claimArrives(intent.id, trxId, after(3), SHOP, { payerDigits: '000' }));
    matching.deliver(...own.map(smsArrives));
    let second = 0;
    const next = () => after(3, (second += 1));

    for (const guess of ['676', '677', '678']) {
      for (const each of claims) matching.deliver(submittedAgain(each, next(), '000'));
      matching.deliver(submittedAgain(claim, next(), guess));
    }

    expect(matching.intent(intent.id).status).toBe('REVIEW_REQUIRED');
    expect(matching.claim(claim.claim.id)).toMatchObject({ payerDigits: '000', state: 'OPEN' });
  });

  it('sends right digits to review after three wrong ones, although further claims follow each on its intent', () => {
    const matching = inMemoryMatching(terms);
    const sms = someEvidence();
    const own = ['AAAA000001', 'AAAA000002', 'AAAA000003'].map((trxId) => someEvidence({ trxId, amount: ONE_TAKA }));
    matching.deliver(...[sms, ...own].map(smsArrives));
    const guesses = ['675', '676', '677', '678'];
    const intents = guesses.map((guess) => anIntent({ reference: `INV-${guess}` }));

    for (const [n, intent] of intents.entries()) {
      matching.deliver(intentArrives(intent));
      for (const [m, { trxId }] of [sms, ...own].entries())
        matching.deliver(claimArrives(intent.id, trxId, after(3, 10 * n + m), SHOP, { payerDigits: guesses[n] ?? '' }));
    }

    expect(intents.map(({ id }) => matching.intent(id).status)).toEqual(guesses.map(() => 'REVIEW_REQUIRED'));
    expect(matching.match(sms).status).toBe('REVIEW_REQUIRED');
  });

  it('sends right digits to review when three wrong ones are sent again in the same batch', () => {
    const matching = inMemoryMatching(terms);
    const sms = someEvidence();
    const guesses = ['675', '676', '677', '678'];
    const intents = guesses.map((guess) => anIntent({ reference: `INV-${guess}` }));
    const claims = intents.map(({ id }, n) =>
      claimArrives(id, TRX, after(2, 20 + n), SHOP, { payerDigits: guesses[n] ?? '' }),
    );
    matching.deliver(...intents.map(intentArrives), smsArrives(sms));
    for (const wrong of claims.slice(0, 3)) matching.deliver(wrong);

    matching.deliver(...claims.slice(3), ...claims.slice(0, 3).map((wrong, n) => submittedAgain(wrong, after(3, n))));

    expect(intents.map(({ id }) => matching.intent(id).status)).toEqual(guesses.map(() => 'REVIEW_REQUIRED'));
    expect(matching.match(sms).status).toBe('REVIEW_REQUIRED');
  });

  it('does not replace compared payer digits after a person has closed and reopened the payment', () => {
    const { matching, intent, sms, claim } = pay('111');
    const act = (name: 'refunded' | 'reopen') =>
      matching.deliver({
        kind: 'review',
        tenant: SHOP,
        smsEventId: sms.smsEventId,
        trxId: TRX,
        referenceKey: undefined,
        intent: undefined,
        by: 'user:7',
        note: 'The customer has called',
        act: { name },
      });

    act('refunded');
    matching.deliver(submittedAgain(claim, after(4), '222'));
    act('reopen');
    matching.deliver(submittedAgain(claim, after(5), '678'));

    expect(matching.intent(intent.id).status).toBe('REVIEW_REQUIRED');
    expect(matching.claim(claim.claim.id)).toMatchObject({ payerDigits: '111', state: 'OPEN' });
  });

  it('accepts payer digits in a later submission when the first had none', () => {
    const { matching, intent, claim } = pay(undefined);

    matching.deliver(submittedAgain(claim, after(4), '678'));

    expect(matching.intent(intent.id).status).toBe('PAID');
  });

  it('pays without digits by reference and by an expected TrxID', () => {
    const matching = inMemoryMatching(terms);
    const [named, expected] = [
      anIntent({ reference: 'INV-1' }),
      anIntent({ reference: 'INV-2', expectedTrxId: 'AAAA000001' }),
    ];
    matching.deliver(...[named, expected].map(intentArrives));
    matching.deliver(smsArrives(someEvidence({ reference: 'INV-1' })));
    matching.deliver(smsArrives(someEvidence({ trxId: 'AAAA000001', providerTime: TEN })));

    expect([named, expected].map(({ id }) => matching.intent(id).status)).toEqual(['PAID', 'PAID']);
  });
});
