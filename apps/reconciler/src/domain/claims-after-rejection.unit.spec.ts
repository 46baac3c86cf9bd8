import {
  after,
  anIntent,
  claimArrives,
  excludes,
  intentArrives,
  OTHER_WALLET,
  rejects,
  SHOP,
  smsArrives,
  someEvidence,
  submittedAgain,
  TERMS,
  WALLET,
} from '../../test/builders';
import { inMemoryMatching } from '../../test/in-memory-matching';

const TRX = 'DKL4A1B2C3';

describe('a claim of a text for which a person has rejected another intent', () => {
  const pair = () => [anIntent({ reference: 'INV-1' }), anIntent({ reference: 'INV-2' })] as const;
  const withDigits = (id: string, payerDigits: string, minute: number) =>
    claimArrives(id, TRX, after(minute), SHOP, { payerDigits });

  /** The claim of a thief with wrong digits was rejected. */
  function thiefRejected() {
    const matching = inMemoryMatching({ ...TERMS, requirePayerDigits: true });
    const [thief, payer] = pair();
    const sms = someEvidence();
    const theft = withDigits(thief.id, '000', 2);
    matching.deliver(...[thief, payer].map(intentArrives), smsArrives(sms), theft);
    matching.deliver(rejects(sms, thief));
    expect(matching.match(sms)).toMatchObject({ status: 'REJECTED', intentId: thief.id });
    return { matching, thief, payer, sms, theft };
  }

  it('puts the text back into review for its intent and pays nothing, however often it is submitted', () => {
    const { matching, thief, payer, sms } = thiefRejected();
    const own = withDigits(payer.id, '678', 4);

    matching.deliver(own);
    matching.deliver(submittedAgain(own, after(4, 30)));

    const reason = 'other_intent_rejected';
    expect(matching.match(sms)).toMatchObject({
      status: 'REVIEW_REQUIRED',
      reason,
      intentId: payer.id,
      doubts: [reason],
      decidedBy: 'system',
      resolvedAt: undefined,
    });
    expect(matching.intent(payer.id).status).toBe('REVIEW_REQUIRED');
    expect(matching.evidence(sms.smsEventId).state).toBe('REVIEW');
    expect(matching.claim(own.claim.id)).toMatchObject({ outcome: 'not_found', smsEventId: sms.smsEventId });
    expect(matching.decisions.filter(({ sms: part }) => part?.id === sms.smsEventId)).toMatchObject([
      { status: 'REVIEW_REQUIRED', paymentIntentId: thief.id },
      { status: 'REJECTED', decidedBy: 'user:7' },
      { status: 'REVIEW_REQUIRED', reason, paymentIntentId: payer.id, intent: { status: 'REVIEW_REQUIRED' } },
    ]);
  });

  it('has no effect when it repeats the claim of the rejected intent', () => {
    const { matching, sms, theft } = thiefRejected();
    const count = matching.decisions.length;

    matching.deliver(submittedAgain(theft, after(4)));

    expect(matching.match(sms).status).toBe('REJECTED');
    expect(matching.decisions).toHaveLength(count);
    expect(matching.claim(theft.claim.id).outcome).toBe('intent_not_pending');
  });

  it.each([
    ['was submitted too early', after(-1), WALLET],
    ['is of an intent that has shown another number', after(4), OTHER_WALLET],
    ['was submitted after the end of its intent', after(6), WALLET],
  ])('has no effect when it %s', (_, submittedAt, receiverAccountId) => {
    const { matching, sms } = thiefRejected();
    const shownReceivers = [{ receiverAccountId, paymentMethod: 'BKASH_SEND_MONEY' as const }];
    const other = anIntent({ reference: 'INV-3', shownReceivers });

    matching.deliver(intentArrives(other), claimArrives(other.id, TRX, submittedAt, SHOP, { payerDigits: '678' }));

    expect(matching.match(sms).status).toBe('REJECTED');
    expect(matching.intent(other.id).status).toBe('PENDING');
  });

  it.each(['refunded', 'not-ours'] as const)('has no effect when a person has closed the text as %s', (act) => {
    const { matching, payer, sms } = thiefRejected();
    const late = anIntent({ reference: 'INV-3' });
    matching.deliver(withDigits(payer.id, '678', 4));
    matching.deliver(excludes(sms, act));

    matching.deliver(intentArrives(late), withDigits(late.id, '678', 4));

    expect(matching.match(sms)).toMatchObject({ status: 'REJECTED', intentId: payer.id });
    expect(matching.intent(late.id).status).toBe('PENDING');
  });

  it('puts the text back into review when its intent arrives after it', () => {
    const { matching, sms } = thiefRejected();
    const late = anIntent({ reference: 'INV-3' });
    matching.deliver(withDigits(late.id, '678', 4));
    expect(matching.match(sms).status).toBe('REJECTED');

    matching.deliver(intentArrives(late));

    expect(matching.match(sms)).toMatchObject({ status: 'REVIEW_REQUIRED', intentId: late.id });
  });

  it.each([
    ['the match is about it', 0],
    ['the match is about the other intent', 1],
  ])('keeps the text in review when one of two competing intents is rejected and %s', (_, rejected) => {
    const matching = inMemoryMatching();
    const intents = pair();
    const sms = someEvidence();
    const claims = intents.map(({ id }, n) => claimArrives(id, TRX, after(2, 20 + n)));
    matching.deliver(...intents.map(intentArrives), ...claims, smsArrives(sms));
    const [wrong, left] = rejected === 0 ? intents : ([intents[1], intents[0]] as const);

    matching.deliver(rejects(sms, wrong, true));
    for (const claim of claims) matching.deliver(submittedAgain(claim, after(4)));

    expect([wrong, left].map(({ id }) => matching.intent(id).status)).toEqual(['REJECTED', 'REVIEW_REQUIRED']);
    expect(matching.match(sms)).toMatchObject({
      status: 'REVIEW_REQUIRED',
      intentId: left.id,
      reason: 'other_intent_rejected',
      decidedBy: 'system',
    });
    expect(matching.evidence(sms.smsEventId).state).toBe('REVIEW');

    matching.deliver(rejects(sms, left));
    expect(matching.match(sms)).toMatchObject({ status: 'REJECTED', intentId: left.id });
    expect(matching.evidence(sms.smsEventId).state).toBe('CLOSED');
  });
});
