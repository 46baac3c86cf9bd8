import { amountFromWire } from '@pay/contracts';
import {
  after,
  anIntent,
  claimArrives,
  excludes,
  expires,
  intentArrives,
  rejects,
  reopens,
  SHOP,
  smsArrives,
  someEvidence,
  submittedAgain,
} from '../../test/builders';
import type { ClaimArrival } from './arrivals';
import type { Intent } from './facts';
import { inMemoryMatching } from '../../test/in-memory-matching';

const TRX = 'DKL4A1B2C3';
const OTHER_TRX = 'DKL4A1B2C4';
const PAYER = '01812345678';

const victimAndThief = () => [anIntent({ reference: 'INV-1' }), anIntent({ reference: 'INV-2' })] as const;

/** Both claim the text, which has no reference. */
function claimedByBoth() {
  const matching = inMemoryMatching();
  const [victim, thief] = victimAndThief();
  const sms = someEvidence({ payerMsisdn: PAYER });
  const claims = [victim, thief].map(({ id }, n) => claimArrives(id, TRX, after(3, n)));
  matching.deliver(...[victim, thief].map(intentArrives), smsArrives(sms), ...claims);
  expect(matching.match(sms)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'competing_claims' });
  return { matching, victim, thief, sms };
}

describe('a claim of a text that an intent paid by other money has claimed', () => {
  const secondPayment = () => someEvidence({ reference: 'INV-1', trxId: OTHER_TRX, ingestedAt: after(4) });

  it('stays in review when its competitor is paid', () => {
    const { matching, victim, thief, sms } = claimedByBoth();

    matching.deliver(smsArrives(secondPayment()));

    expect(matching.intent(victim.id).status).toBe('PAID');
    expect(matching.intent(thief.id).status).toBe('REVIEW_REQUIRED');
    expect(matching.match(sms)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'intent_already_paid' });
    expect(matching.match(sms).candidates).toMatchObject([
      { paymentIntentId: victim.id, reason: 'intent_already_paid' },
      { paymentIntentId: thief.id, reason: 'competing_claims' },
    ]);
  });

  it.each([
    ['goes to review', undefined, 'REVIEW_REQUIRED'],
    ['pays with the digits of the payer', PAYER.slice(-3), 'PAID'],
  ])('%s if it is submitted after that payment', (_case, payerDigits, status) => {
    const matching = inMemoryMatching();
    const [payer, other] = victimAndThief();
    const sms = someEvidence({ payerMsisdn: PAYER, amount: amountFromWire('499') });
    matching.deliver(...[payer, other].map(intentArrives), smsArrives(sms), claimArrives(payer.id, TRX));
    matching.deliver(smsArrives(secondPayment()));
    expect(matching.match(sms)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'intent_already_paid' });

    const cheaper = anIntent({ reference: 'INV-3', amount: amountFromWire('499') });
    const given = payerDigits === undefined ? {} : { payerDigits };
    matching.deliver(intentArrives(cheaper), claimArrives(cheaper.id, TRX, after(4, 30), SHOP, given));

    expect(matching.intent(cheaper.id).status).toBe(status);
  });

  it.each([
    ['the digits of its claim', {}, { payerDigits: PAYER.slice(-3) }],
    ['its expected payer', { expectedSenderMsisdn: PAYER }, {}],
  ])('goes to review with the digits of the payer if that intent has them too, by %s', (_case, expected, given) => {
    const matching = inMemoryMatching();
    const [victim, thief] = [anIntent({ reference: 'INV-1', ...expected }), anIntent({ reference: 'INV-2' })];
    const sms = someEvidence({ payerMsisdn: PAYER });
    matching.deliver(...[victim, thief].map(intentArrives), smsArrives(secondPayment()));
    expect(matching.intent(victim.id).status).toBe('PAID');
    matching.deliver(smsArrives(sms), claimArrives(victim.id, TRX, after(4), SHOP, given));

    matching.deliver(claimArrives(thief.id, TRX, after(5), SHOP, { payerDigits: PAYER.slice(-3) }));

    expect(matching.match(sms).status).toBe('REVIEW_REQUIRED');
    expect(matching.intent(thief.id).status).toBe('REVIEW_REQUIRED');
  });

  it('pays if that intent claimed it before the payment', () => {
    const matching = inMemoryMatching();
    const [guesser, payer] = victimAndThief();
    matching.deliver(...[guesser, payer].map(intentArrives), claimArrives(guesser.id, TRX, after(-1)));
    matching.deliver(smsArrives(someEvidence({ reference: 'INV-1', trxId: OTHER_TRX })));
    expect(matching.intent(guesser.id).status).toBe('PAID');

    matching.deliver(smsArrives(someEvidence()), claimArrives(payer.id, TRX, after(3)));

    expect(matching.intent(payer.id).status).toBe('PAID');
  });
});

describe('a claim of a text that leads to an intent which a person rejects through another exception', () => {
  const oneTaka = () => someEvidence({ reference: 'INV-1', trxId: OTHER_TRX, amount: amountFromWire('1') });
  const inReview = { status: 'REVIEW_REQUIRED', reason: 'other_intent_rejected', doubts: ['other_intent_rejected'] };

  it('stays in review if both claim it', () => {
    const { matching, victim, thief, sms } = claimedByBoth();
    const odd = oneTaka();
    matching.deliver(smsArrives(odd));

    matching.deliver(rejects(odd, victim));

    expect(matching.intent(victim.id).status).toBe('REJECTED');
    expect(matching.match(sms)).toMatchObject({ ...inReview, intentId: thief.id });
    expect(matching.intent(thief.id).status).toBe('REVIEW_REQUIRED');
  });

  it.each(['before', 'after'])('goes to review if the text names that intent and it is submitted %s that', (when) => {
    const matching = inMemoryMatching();
    const amount = amountFromWire('499');
    const [victim, thief] = [anIntent({ reference: 'INV-1' }), anIntent({ reference: 'INV-2', amount })];
    const [sms, odd] = [someEvidence({ reference: 'INV-1', amount }), oneTaka()];
    const claim = claimArrives(thief.id, TRX, after(4));
    matching.deliver(...[victim, thief].map(intentArrives), smsArrives(sms), smsArrives(odd));
    if (when === 'before') matching.deliver(claim);

    matching.deliver(rejects(odd, victim));
    if (when === 'after') matching.deliver(claim);

    expect(matching.intent(thief.id).status).toBe('REVIEW_REQUIRED');
    expect(matching.match(sms)).toMatchObject({ ...inReview, intentId: thief.id });
  });

  it('goes to review if the text was closed and is reopened', () => {
    const { matching, victim, thief, sms } = claimedByBoth();
    const odd = oneTaka();
    matching.deliver(smsArrives(odd), excludes(sms, 'not-ours'));
    matching.deliver(rejects(odd, victim));

    for (const arrival of reopens(sms)) matching.deliver(arrival);

    expect(matching.intent(thief.id).status).toBe('REVIEW_REQUIRED');
    expect(matching.match(sms)).toMatchObject({ ...inReview, intentId: thief.id });
  });

  /** Rejected at 10:07. The one is in review since its underpayment, so it has not expired. */
  function rejectedInReview(...claims: readonly ClaimArrival[]) {
    const matching = inMemoryMatching();
    const [rejected, honest] = [
      anIntent({ reference: 'INV-1' }),
      anIntent({ reference: 'INV-2', expiresAt: after(60) }),
    ];
    const odd = oneTaka();
    matching.deliver(...[rejected, honest].map(intentArrives), smsArrives(odd));
    const sms = someEvidence({ providerTime: after(4), ingestedAt: after(4) });
    matching.deliver(smsArrives(sms), ...claims.map((claim) => ofIntent(claim, rejected)));
    matching.setTime(after(7));
    matching.deliver(rejects(odd, rejected));
    return { matching, rejected, honest, sms };
  }

  const claimAt = (...time: Parameters<typeof after>) => claimArrives('', TRX, after(...time));
  const ofIntent = (arrival: ClaimArrival, { id }: Intent) => ({
    ...arrival,
    claim: { ...arrival.claim, intentId: id },
  });

  it.each([
    ['after its own end', [claimAt(6)]],
    ['in time and again after its own end', [claimAt(3, 40), claimAt(6)]],
  ])('goes to review if that intent claimed it before its rejection, %s', (_case, [first, again]) => {
    const claim = first ?? claimAt(6);
    const claims = again === undefined ? [claim] : [claim, submittedAgain(claim, again.claim.submittedAt)];
    const { matching, honest, sms } = rejectedInReview(...claims);

    matching.deliver(claimArrives(honest.id, TRX, after(8)));

    expect(matching.intent(honest.id).status).toBe('REVIEW_REQUIRED');
    expect(matching.match(sms)).toMatchObject({ ...inReview, intentId: honest.id });
  });

  it.each([
    ['before its rejection', claimAt(6)],
    ['shortly after its rejection', claimAt(8)],
  ])('goes to review if that intent claimed it %s, and again later', (_when, claim) => {
    const { matching, rejected, honest, sms } = rejectedInReview(claim);
    matching.deliver(ofIntent(submittedAgain(claim, after(12)), rejected));

    matching.deliver(claimArrives(honest.id, TRX, after(13)));

    expect(matching.match(sms)).toMatchObject({ ...inReview, intentId: honest.id });
  });

  it('goes to review if that intent claimed it before its rejection, and the text arrives after it', () => {
    const { matching, honest, rejected } = rejectedInReview();
    const late = someEvidence({ trxId: 'DKL4A1B2C5', providerTime: after(4), ingestedAt: after(8) });
    const claim = claimArrives(rejected.id, late.trxId, after(6));
    matching.deliver(claim, submittedAgain(claim, after(8)), smsArrives(late));

    matching.deliver(claimArrives(honest.id, late.trxId, after(9)));

    expect(matching.match(late)).toMatchObject({ ...inReview, intentId: honest.id });
  });

  it.each([
    ['pays if that intent claimed it only after its rejection, also before its own end', after(3, 1), 'PAID'],
    [
      'goes to review if that intent claimed it so shortly after its rejection that clocks may differ',
      after(3),
      'REVIEW_REQUIRED',
    ],
  ])('%s', (_case, claimedAt, status) => {
    const matching = inMemoryMatching();
    const [rejected, honest] = [anIntent({ reference: 'INV-1' }), anIntent({ reference: 'INV-2' })];
    const odd = oneTaka();
    matching.deliver(...[rejected, honest].map(intentArrives), smsArrives(odd));
    matching.setTime(after(1));
    matching.deliver(rejects(odd, rejected));

    matching.deliver(smsArrives(someEvidence()), claimArrives(rejected.id, TRX, claimedAt));
    matching.deliver(claimArrives(honest.id, TRX, after(4)));

    expect(matching.intent(rejected.id).status).toBe('REJECTED');
    expect(matching.intent(honest.id).status).toBe(status);
  });

  it('is decided as a late payment if it is the claim of an expired one, and that intent claimed it first', () => {
    const { matching, rejected } = rejectedInReview();
    const expired = anIntent({ reference: 'INV-3', expiresAt: after(8) });
    matching.deliver(intentArrives(expired), expires(expired));
    const late = someEvidence({ trxId: 'DKL4A1B2C5', providerTime: after(9), ingestedAt: after(9) });

    matching.deliver(smsArrives(late), claimArrives(rejected.id, late.trxId, after(9, 1)));
    matching.deliver(claimArrives(expired.id, late.trxId, after(9, 2)));

    expect(matching.match(late)).toMatchObject({ reason: 'late_payment', intentId: expired.id });
  });

  it.each([
    ['names that intent', () => ({ reference: 'INV-1' }), (rejected: Intent) => rejected],
    ['does not, and that intent claimed it first', () => ({}), (_: Intent, expired: Intent) => expired],
  ])('is approved as a late payment only with a doubt if the text %s', (_case, named, aboutWhom) => {
    const { matching, rejected } = rejectedInReview();
    const expired = anIntent({ reference: 'INV-3', expiresAt: after(8) });
    matching.deliver(intentArrives(expired), expires(expired));
    const trxId = 'DKL4A1B2C5';
    const sms = someEvidence({ trxId, providerTime: after(4), ingestedAt: after(8), ...named() });

    matching.deliver(smsArrives(sms), claimArrives(rejected.id, trxId, after(6)));
    matching.deliver(claimArrives(expired.id, trxId, after(10)));

    expect(matching.match(sms)).toMatchObject({
      status: 'REVIEW_REQUIRED',
      intentId: aboutWhom(rejected, expired).id,
      doubts: ['other_intent_rejected'],
    });
  });

  it('is decided as the second payment of a paid intent if that intent claimed it first', () => {
    const { matching, rejected, honest } = rejectedInReview();
    const trxId = 'DKL4A1B2C5';
    const first = someEvidence({
      trxId: 'DKL4A1B2C6',
      reference: 'INV-2',
      providerTime: after(4),
      ingestedAt: after(8),
    });
    const second = someEvidence({ trxId, providerTime: after(4), ingestedAt: after(9) });
    matching.deliver(smsArrives(first));
    expect(matching.intent(honest.id).status).toBe('PAID');

    matching.deliver(smsArrives(second), claimArrives(rejected.id, trxId, after(6)));
    matching.deliver(claimArrives(honest.id, trxId, after(10)));

    expect(matching.match(second)).toMatchObject({ reason: 'intent_already_paid', intentId: honest.id });
  });

  it('is the one that a person decides about if that intent claimed it first, after its rejection', () => {
    const { matching, rejected, honest } = rejectedInReview();
    const trxId = 'DKL4A1B2C5';
    const sms = someEvidence({ trxId, amount: amountFromWire('499'), providerTime: after(4), ingestedAt: after(8) });

    matching.deliver(smsArrives(sms), claimArrives(rejected.id, trxId, after(10)));
    matching.deliver(claimArrives(honest.id, trxId, after(11)));

    expect(matching.match(sms)).toMatchObject({ reason: 'trx_id_match_amount_mismatch', intentId: honest.id });
  });

  it('adds no doubt about another intent if the text leads to no other', () => {
    const matching = inMemoryMatching();
    const intent = anIntent({ reference: 'INV-1' });
    const [sms, odd] = [someEvidence({ reference: 'INV-1', amount: amountFromWire('499') }), oneTaka()];
    matching.deliver(intentArrives(intent), smsArrives(sms), smsArrives(odd));

    matching.deliver(rejects(odd, intent));

    expect(matching.match(sms)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'intent_closed', doubts: [] });
  });
});
