import {
  after,
  anIntent,
  claimArrives,
  expires,
  intentArrives,
  SANDBOX_SHOP,
  SHOP,
  smsArrives,
  someEvidence,
  submittedAgain,
  TEN,
} from '../../test/builders';
import { inMemoryMatching } from '../../test/in-memory-matching';

const TRX = 'DKL4A1B2C3';
/** The builders' text states a payment at 10:02 from 01812345678. */
const PAID_AT = after(2);

describe('the time of a claim', () => {
  it.each([
    ['in the second after the minute of the payment', after(2, 1), 'PAID', 'trx_id_match'],
    ['at the minute of the payment', PAID_AT, 'PAID', 'trx_id_match'],
    ['a millisecond before it', new Date(PAID_AT.getTime() - 1), 'REVIEW_REQUIRED', 'claim_before_payment'],
    ['two minutes before it', TEN, 'REVIEW_REQUIRED', 'claim_before_payment'],
    ['more than two minutes before it', new Date(TEN.getTime() - 1), 'PENDING', 'no_reference'],
  ])('decides a claim submitted %s', (_, submittedAt, status, reason) => {
    for (const isClaimFirst of [true, false]) {
      const matching = inMemoryMatching();
      const intent = anIntent({ createdAt: after(-5) });
      const sms = someEvidence({ providerTime: after(2, 40) });
      const arrivals = [claimArrives(intent.id, TRX, submittedAt), smsArrives(sms)];
      matching.deliver(intentArrives(intent));

      for (const arrival of isClaimFirst ? arrivals : arrivals.reverse()) matching.deliver(arrival);

      expect(matching.intent(intent.id).status).toBe(status);
      expect(matching.match(sms).reason).toBe(reason);
    }
  });

  it('answers an early claim as if its TrxID was unknown and pays a later claim of another intent', () => {
    const matching = inMemoryMatching();
    const [guesser, payer] = [anIntent({ reference: 'INV-1' }), anIntent({ reference: 'INV-2' })];
    const guess = claimArrives(guesser.id, TRX, after(-3));
    const sms = someEvidence();
    matching.deliver(...[guesser, payer].map(intentArrives), guess, smsArrives(sms));
    expect(matching.match(sms)).toMatchObject({ status: 'PENDING', candidates: [] });
    expect(matching.claim(guess.claim.id)).toMatchObject({
      state: 'OPEN',
      outcome: 'waiting',
      reason: 'claim_too_early',
    });
    expect(matching.publishedClaims.map(({ outcome }) => outcome)).toEqual(['waiting']);

    matching.deliver(claimArrives(payer.id, TRX));

    expect(matching.intent(payer.id).status).toBe('PAID');
    expect(matching.intent(guesser.id).status).toBe('PENDING');
    expect(matching.claim(guess.claim.id)).toMatchObject({ state: 'SETTLED', outcome: 'duplicate_trx_id' });
    expect(matching.disputes).toEqual([]);
  });

  it('counts a claim that is submitted again after the payment by its new time, and answers it again', () => {
    for (const isTextFirst of [true, false]) {
      const matching = inMemoryMatching();
      const intent = anIntent();
      const claim = claimArrives(intent.id, TRX, after(-3));
      const again = submittedAgain(claim, after(3));
      matching.deliver(intentArrives(intent), claim);

      if (isTextFirst) matching.deliver(smsArrives(someEvidence()));
      matching.deliver(again);
      if (!isTextFirst) matching.deliver(smsArrives(someEvidence()));

      expect(matching.intent(intent.id).status).toBe('PAID');
      expect(matching.publishedClaims.map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: matching.publishedClaims.length }, (_, n) => n + 1),
      );
      expect(matching.publishedClaims.at(-1)).toMatchObject({ outcome: 'matched', submittedAt: after(3) });
    }
  });

  it('answers a claim that is submitted again, also with the same outcome, but not a repeated event', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const claim = claimArrives(intent.id, TRX, after(1));
    matching.deliver(intentArrives(intent), claim);

    matching.deliver(submittedAgain(claim, after(2)));
    matching.deliver(submittedAgain(claim, after(2)));
    matching.deliver(claim);

    expect(matching.publishedClaims.map(({ outcome, sequence }) => [outcome, sequence])).toEqual([
      ['waiting', 1],
      ['waiting', 2],
    ]);
  });

  it.each([
    ['before its submissions', true],
    ['after its submissions', false],
  ])('keeps a claim in time that is submitted again after the end of an intent that arrives %s', (_, isIntentFirst) => {
    for (const isInOrder of [true, false]) {
      const matching = inMemoryMatching();
      const intent = anIntent();
      const claim = claimArrives(intent.id, TRX, after(4));
      const submissions = [claim, submittedAgain(claim, after(6))];

      if (isIntentFirst) matching.deliver(intentArrives(intent));
      for (const submission of isInOrder ? submissions : submissions.reverse()) matching.deliver(submission);
      if (!isIntentFirst) matching.deliver(intentArrives(intent));
      matching.deliver(smsArrives(someEvidence()));

      expect(matching.intent(intent.id).status).toBe('PAID');
    }
  });

  it('pays a stored text by a submission in time that arrives after a late one', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const claim = claimArrives(intent.id, TRX, after(6));
    matching.deliver(intentArrives(intent), smsArrives(someEvidence()), claim);
    const before = matching.intent(intent.id).status;

    matching.deliver(submittedAgain(claim, after(4)));

    expect([before, matching.intent(intent.id).status]).toEqual(['PENDING', 'PAID']);
  });

  it('opens a late-payment exception when an early claim is submitted again after the end of the intent', () => {
    const matching = inMemoryMatching();
    const intent = anIntent();
    const sms = someEvidence({ providerTime: after(4) });
    const claim = claimArrives(intent.id, TRX, after(0));
    matching.deliver(intentArrives(intent), claim, smsArrives(sms));
    matching.deliver(expires(intent));

    matching.deliver(submittedAgain(claim, after(6)));

    expect(matching.match(sms)).toMatchObject({ reason: 'late_payment', intentId: intent.id, paidInTime: true });
  });

  it('counts an expected TrxID from the creation of the intent, also in SANDBOX', () => {
    for (const tenant of [SHOP, SANDBOX_SHOP]) {
      const outcomes = [after(-1), after(0), after(1), after(3)].map((providerTime) => {
        const matching = inMemoryMatching();
        const intent = anIntent({ tenant, expectedTrxId: TRX });
        matching.deliver(smsArrives(someEvidence({ tenant, providerTime })), intentArrives(intent));
        return matching.intent(intent.id).status;
      });

      expect(outcomes).toEqual(['PAID', 'PAID', 'REVIEW_REQUIRED', 'PENDING']);
    }
  });
});
