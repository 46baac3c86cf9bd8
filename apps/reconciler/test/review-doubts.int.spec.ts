import { amountFromWire, MOST_CANDIDATES, type MatchReason, type ReviewAnswer } from '@pay/contracts';
import { failOnLeaks } from '@pay/testing';
import { after, anIntent, claimArrives, expires, intentArrives, smsArrives, someEvidence } from './builders';
import { reviewDesk } from './review-under-test';
import { aName, openSession, type SessionUnderTest } from './session-under-test';

let session: SessionUnderTest;
let desk: ReturnType<typeof reviewDesk>;
beforeAll(async () => {
  session = await openSession();
  desk = reviewDesk(session);
});
afterAll(() => session.close());
failOnLeaks();

const refusalOf = ({ refusal }: ReviewAnswer) => refusal?.code;
const two = () => [anIntent({ reference: aName() }), anIntent({ reference: aName() })] as const;

/** Two open intents claim one text, the first one before the second. */
async function competing(given: Parameters<typeof someEvidence>[0] = {}) {
  const [one, other] = two();
  const sms = someEvidence({ trxId: aName(), ...given });
  const claims = [claimArrives(one.id, sms.trxId), claimArrives(other.id, sms.trxId, after(3, 30))];
  await session.deliver(intentArrives(one), intentArrives(other), ...claims, smsArrives(sms));
  return { one, other, sms };
}

/** Links, first without an acknowledgement; returns what the message of the refusal names. */
async function link(smsEventId: string, paymentIntentId: string, doubts: readonly MatchReason[]) {
  const silent = await desk.ask(smsEventId, { action: 'link', paymentIntentId });
  expect(refusalOf(silent)).toBe('DOUBTS_NOT_ACKNOWLEDGED');
  expect(silent.refusal?.message).toContain(`acknowledgeDoubts ${JSON.stringify(doubts)}`);
  const acknowledged = { action: 'link', paymentIntentId, acknowledgeDoubts: [...doubts] } as Parameters<
    typeof desk.ask
  >[1];
  expect(refusalOf(await desk.ask(smsEventId, acknowledged))).toBeUndefined();
  expect(await session.statusOf(paymentIntentId)).toBe('PAID');
}

describe('linking requires the acknowledgement of', () => {
  it('competing claims, for the intent of the match', async () => {
    const { one, sms } = await competing();
    await link(sms.smsEventId, one.id, ['competing_claims']);
  });

  it('competing claims, for another claimant', async () => {
    const { other, sms } = await competing();
    await link(sms.smsEventId, other.id, ['competing_claims']);
  });

  it('competing claims, for another claimant of a text with a different doubt', async () => {
    const { other, sms } = await competing({ authenticity: 'unsigned' });
    await link(sms.smsEventId, other.id, ['competing_claims']);
  });

  it('the doubt about the claim of an intent that has ended', async () => {
    const [open, ended] = two();
    const sms = someEvidence({ trxId: aName() });
    const claims = [claimArrives(open.id, sms.trxId, after(1)), claimArrives(ended.id, sms.trxId, after(1, 20))];
    await session.deliver(intentArrives(open), intentArrives(ended), ...claims);
    await session.deliver(expires(ended));
    expect(await session.statusOf(ended.id)).toBe('EXPIRED');
    await session.deliver(smsArrives(sms));
    await link(sms.smsEventId, ended.id, ['claim_before_payment']);
  });

  it('competing claims, for an intent that a full list of candidates may lack', async () => {
    const unrelated = anIntent({ reference: aName() });
    const sms = someEvidence({ trxId: aName() });
    const claimants = Array.from({ length: MOST_CANDIDATES }, () => anIntent({ reference: aName() }));
    const claims = claimants.map(({ id }) => claimArrives(id, sms.trxId, after(3)));
    await session.deliver(...[unrelated, ...claimants].map(intentArrives), ...claims, smsArrives(sms));
    await link(sms.smsEventId, unrelated.id, ['competing_claims']);
  });

  it('competing claims, for an intent in review that the full list of candidates lacks, as its page says', async () => {
    const sms = someEvidence({ trxId: aName(), authenticity: 'unsigned' });
    const claimants = Array.from({ length: MOST_CANDIDATES + 2 }, () => anIntent({ reference: aName() }));
    const claims = claimants.map(({ id }, n) => claimArrives(id, sms.trxId, after(3, n)));
    await session.deliver(...claimants.map(intentArrives), ...claims, smsArrives(sms));
    const last = claimants.at(-1)?.id ?? '';

    const { item } = await desk.ask(sms.smsEventId, { action: 'assign', assigneeId: null });

    expect(item.candidates.find(({ paymentIntentId }) => paymentIntentId === last)).toMatchObject({
      reason: 'unsigned_forwarder',
      doubts: ['competing_claims'],
    });
    await link(sms.smsEventId, last, ['competing_claims']);
  });

  it('competing claims, for the claimant of a text that names a paid intent', async () => {
    const [paid, other] = two();
    const [first, second] = [1, 2].map((n) =>
      someEvidence({ trxId: aName(), reference: paid.referenceKey, ingestedAt: after(2, n) }),
    );
    if (!first || !second) throw new Error('two texts');
    await session.deliver(intentArrives(paid), intentArrives(other), smsArrives(first), smsArrives(second));
    await session.deliver(claimArrives(other.id, second.trxId));

    expect(await session.matchOf(second.smsEventId)).toMatchObject({ reason: 'intent_already_paid' });
    await link(second.smsEventId, other.id, ['competing_claims']);
  });

  it('doubts about the text, for any intent', async () => {
    const unrelated = anIntent({ reference: aName() });
    const forged = someEvidence({ trxId: aName(), amount: amountFromWire('9000') });
    const sms = someEvidence({ trxId: forged.trxId, ingestedAt: after(3) });
    await session.deliver(intentArrives(unrelated), smsArrives(forged));
    await desk.ask(forged.smsEventId, { action: 'not-ours' });
    await session.deliver(smsArrives(sms));

    await link(sms.smsEventId, unrelated.id, ['contradicting_texts']);
  });
});

it('linking an intent to which no claim leads requires no acknowledgement of competing claims', async () => {
  const { sms } = await competing();
  const unrelated = anIntent({ reference: aName() });
  await session.deliver(intentArrives(unrelated));

  expect(refusalOf(await desk.ask(sms.smsEventId, { action: 'link', paymentIntentId: unrelated.id }))).toBeUndefined();
  expect(await session.statusOf(unrelated.id)).toBe('PAID');
});

it('competing claims are a doubt beside another one', async () => {
  const { one, sms } = await competing({ authenticity: 'unsigned' });

  const { item } = await desk.ask(sms.smsEventId, { action: 'assign', assigneeId: null });
  expect(item).toMatchObject({ reason: 'unsigned_forwarder', doubts: ['unsigned_forwarder', 'competing_claims'] });
  expect(refusalOf(await desk.ask(sms.smsEventId, { action: 'resolve' }))).toBe('DOUBTS_NOT_ACKNOWLEDGED');
  expect(await session.statusOf(one.id)).toBe('REVIEW_REQUIRED');
});

describe('a reopened text', () => {
  it('for which an intent was rejected pays no later claim automatically', async () => {
    const [thief, again] = two();
    const sms = someEvidence({ trxId: aName() });
    await session.deliver(intentArrives(thief), claimArrives(thief.id, sms.trxId, after(1)), smsArrives(sms));
    await desk.ask(sms.smsEventId, { action: 'reject' });
    const { item } = await desk.ask(sms.smsEventId, { action: 'reopen' });
    expect(item.doubts).toContain('other_intent_rejected');

    await session.deliver(intentArrives(again), claimArrives(again.id, sms.trxId));

    expect(await session.statusOf(again.id)).toBe('REVIEW_REQUIRED');
  });

  it('for which an intent was rejected while it was closed pays no other claim automatically', async () => {
    const { one, other, sms } = await competing();
    await desk.ask(sms.smsEventId, { action: 'not-ours' });
    await desk.ask(sms.smsEventId, { action: 'reject', paymentIntentId: one.id });
    expect(await session.statusOf(one.id)).toBe('REJECTED');

    const { item } = await desk.ask(sms.smsEventId, { action: 'reopen' });

    expect(item).toMatchObject({ status: 'OPEN', doubts: ['other_intent_rejected'] });
    expect(await session.statusOf(other.id)).toBe('REVIEW_REQUIRED');
  });

  it('is late if the intent that it names has ended meanwhile', async () => {
    const intent = anIntent({ reference: aName() });
    const sms = someEvidence({ trxId: aName(), reference: intent.referenceKey, ingestedAt: after(20) });
    await session.deliver(smsArrives(sms));
    await desk.ask(sms.smsEventId, { action: 'not-ours' });
    await session.deliver(intentArrives(intent), expires(intent));

    const { item } = await desk.ask(sms.smsEventId, { action: 'reopen' });

    expect(item).toMatchObject({ status: 'OPEN', kind: 'late_payment', paymentIntentId: intent.id });
  });
});
