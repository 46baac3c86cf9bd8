import { randomUUID } from 'node:crypto';
import { amountFromWire, eventsOf, type ReviewAnswer } from '@pay/contracts';
import { failOnLeaks } from '@pay/testing';
import { findIntent } from '../src/matching/intent-repository';
import {
  after,
  anIntent,
  aSignal,
  claimArrives,
  expires,
  intentArrives,
  OTHER_WALLET,
  SANDBOX_SHOP,
  smsArrives,
  someEvidence,
  unparsedArrives,
} from './builders';
import { aName, openSession, type SessionUnderTest } from './session-under-test';
import { aReviewer, reviewDesk } from './review-under-test';

let session: SessionUnderTest;
let desk: ReturnType<typeof reviewDesk>;
beforeAll(async () => {
  session = await openSession();
  desk = reviewDesk(session);
});
afterAll(async () => {
  await session.close();
});
failOnLeaks();

type Asked = Parameters<typeof desk.ask>[1];
type Given = NonNullable<Parameters<typeof someEvidence>[0]>;

/** An intent of 500 and a text that names it and differs from it. */
async function inReview(given: Given = {}, { expired = false } = {}) {
  const reference = aName();
  const intent = anIntent({ reference });
  const sms = someEvidence({ reference, trxId: aName(), ...given });
  await session.deliver(intentArrives(intent));
  if (expired) await session.deliver(expires(intent));
  await session.deliver(smsArrives(sms));
  return { intent, sms };
}
const of450 = { amount: amountFromWire('450') };
const acknowledgeAmountDifference = true;
const ACKNOWLEDGED = { acknowledgeAmountDifference, expectedAmount: '500', receivedAmount: '450' } as const;
const CONTRADICTING: Asked = { action: 'resolve', acknowledgeDoubts: ['contradicting_texts'] };

async function announcedOf(smsEventId: string) {
  const types = ['match.resolved', 'match.rejected', 'match.review_required', 'match.pending'] as const;
  const events = eventsOf(await session.announced(), ...types);
  return events.filter(({ data }) => data.sms?.id === smsEventId).at(-1);
}
const refusalOf = ({ refusal }: ReviewAnswer) => refusal?.code;

describe('approving', () => {
  it('requires both amounts to be acknowledged for money of another amount', async () => {
    const { intent, sms } = await inReview(of450);

    const silent = await desk.ask(sms.smsEventId, { action: 'resolve' });
    const wrong = await desk.ask(sms.smsEventId, { action: 'resolve', ...ACKNOWLEDGED, receivedAmount: '500' });

    expect([refusalOf(silent), refusalOf(wrong)]).toEqual(['AMOUNT_DIFFERS', 'AMOUNT_DIFFERS']);
    expect(silent.refusal?.message).toContain('expects 500; 450 was received');
    expect(await session.statusOf(intent.id)).toBe('REVIEW_REQUIRED');

    const actor = aReviewer();
    const { refusal, item } = await desk.ask(sms.smsEventId, { action: 'resolve', ...ACKNOWLEDGED }, { actor });

    expect(refusal).toBeNull();
    expect(item).toMatchObject({
      status: 'CLOSED',
      matchStatus: 'MANUALLY_RESOLVED',
      intentStatus: 'PAID',
      resolvedBy: actor.userId,
      actions: [{ action: 'resolve', by: actor.userId }],
    });
    expect(await announcedOf(sms.smsEventId)).toMatchObject({
      type: 'match.resolved',
      data: {
        decidedBy: `user:${actor.userId}`,
        intent: { id: intent.id, status: 'PAID', sequence: 2 },
        sms: { status: 'MANUALLY_RESOLVED' },
        evidence: { amount: '450' },
      },
    });
  });

  it('requires every doubt about who has paid to be acknowledged by name', async () => {
    const [one, other] = [anIntent({ reference: aName() }), anIntent({ reference: aName() })];
    const forged = someEvidence({ trxId: aName(), amount: amountFromWire('9000') });
    const { trxId } = forged;
    const sms = someEvidence({ trxId, ingestedAt: after(3) });
    await session.deliver(intentArrives(one), intentArrives(other), smsArrives(forged));
    await desk.ask(forged.smsEventId, { action: 'not-ours' });
    await session.deliver(claimArrives(one.id, trxId), claimArrives(other.id, trxId, after(5)), smsArrives(sms));

    const silent = await desk.ask(sms.smsEventId, { action: 'resolve' });
    const half = await desk.ask(sms.smsEventId, CONTRADICTING);

    expect(silent.item).toMatchObject({ status: 'OPEN', doubts: ['competing_claims', 'contradicting_texts'] });
    expect([refusalOf(silent), refusalOf(half)]).toEqual(['DOUBTS_NOT_ACKNOWLEDGED', 'DOUBTS_NOT_ACKNOWLEDGED']);
    expect(silent.refusal?.message).toContain('acknowledgeDoubts ["competing_claims","contradicting_texts"]');
    expect(await session.statusOf(one.id)).toBe('REVIEW_REQUIRED');

    const whole = await desk.ask(sms.smsEventId, {
      action: 'resolve',
      acknowledgeDoubts: ['competing_claims', 'contradicting_texts'],
    });
    expect(whole.refusal).toBeNull();
    expect(await session.statusOf(one.id)).toBe('PAID');
  });

  it('requires no acknowledgement for money that was paid in time and received late', async () => {
    const { intent, sms } = await inReview({ ingestedAt: after(20) }, { expired: true });

    const { refusal, item } = await desk.ask(sms.smsEventId, { action: 'resolve' });

    expect(refusal).toBeNull();
    expect(item).toMatchObject({ matchStatus: 'MANUALLY_RESOLVED', paidInTime: true, intentStatus: 'PAID' });
    expect(await session.statusOf(intent.id)).toBe('PAID');
  });

  it.each([
    [
      'on another number',
      { receiverAccountId: OTHER_WALLET },
      'RECEIVER_DIFFERS',
      { acknowledgeReceiverMismatch: true },
    ],
    ['by another method', { method: 'NAGAD_SEND_MONEY' }, 'METHOD_DIFFERS', { acknowledgeMethodMismatch: true }],
  ] as const)('requires an acknowledgement for money that came %s', async (_how, given, code, acknowledged) => {
    const { intent, sms } = await inReview(given);

    expect(refusalOf(await desk.ask(sms.smsEventId, { action: 'resolve' }))).toBe(code);
    expect((await desk.ask(sms.smsEventId, { action: 'resolve', ...acknowledged })).refusal).toBeNull();
    expect(await session.statusOf(intent.id)).toBe('PAID');
  });

  it('is refused for a text without an intent, which must be linked', async () => {
    const sms = someEvidence({ trxId: aName() });
    await session.deliver(smsArrives(sms));

    expect(refusalOf(await desk.ask(sms.smsEventId, { action: 'resolve' }))).toBe('NO_INTENT_TO_APPROVE');
  });

  it('is refused for evidence that has paid, a duplicate, or a text without money', async () => {
    const { sms } = await inReview();
    const duplicate = someEvidence({ trxId: sms.trxId });
    const unread = someEvidence();
    await session.deliver(smsArrives(duplicate));
    await session.deliver(unparsedArrives(unread));

    const answers = [sms, duplicate, unread].map(({ smsEventId }) => desk.ask(smsEventId, { action: 'resolve' }));

    expect((await Promise.all(answers)).map(refusalOf)).toEqual([
      'EXCEPTION_DECIDED',
      'duplicate_trx_id',
      'NO_MONEY_READ',
    ]);
  });

  it('answers the claim of the customer', async () => {
    const { intent, sms } = await inReview(of450);
    const claim = claimArrives(intent.id, sms.trxId);
    await session.deliver(claim);

    await desk.ask(sms.smsEventId, { action: 'resolve', ...ACKNOWLEDGED });

    expect(await session.claimOf(claim.claim.id)).toMatchObject({ outcome: 'matched', state: 'SETTLED' });
  });
});

describe('linking', () => {
  const stray = async (given: Given = {}) => {
    const sms = someEvidence({ trxId: aName(), ...given });
    await session.deliver(smsArrives(sms));
    return sms;
  };
  const waiting = async (given: Parameters<typeof anIntent>[0] = {}) => {
    const intent = anIntent({ reference: aName(), ...given });
    await session.deliver(intentArrives(intent));
    return intent;
  };

  it.each(['PENDING', 'EXPIRED'])(
    'pays the chosen intent that is %s with a text without a reference',
    async (status) => {
      const [sms, intent] = [await stray(), await waiting()];
      if (status === 'EXPIRED') await session.deliver(expires(intent));

      const { refusal, item } = await desk.ask(sms.smsEventId, { action: 'link', paymentIntentId: intent.id });

      expect(refusal).toBeNull();
      expect(item).toMatchObject({
        path: 'MANUAL',
        reason: 'linked_by_person',
        paymentIntentId: intent.id,
        intentStatus: 'PAID',
      });
    },
  );

  it('does not find intents of another merchant or environment', async () => {
    const sms = await stray();
    const elsewhere = await waiting({ tenant: SANDBOX_SHOP });
    const link = (paymentIntentId: string) => desk.ask(sms.smsEventId, { action: 'link', paymentIntentId });

    await expect(link(elsewhere.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(link(randomUUID())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const asked = { action: 'refunded' } as const;
    await expect(desk.ask(sms.smsEventId, asked, { merchantId: randomUUID() })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('requires an acknowledgement for money that names another open intent', async () => {
    const { sms } = await inReview(of450);
    const other = await waiting({ amount: amountFromWire('450') });
    const link = { action: 'link', paymentIntentId: other.id } as const;

    expect(refusalOf(await desk.ask(sms.smsEventId, link))).toBe('NAMES_ANOTHER_INTENT');
    const { item } = await desk.ask(sms.smsEventId, { ...link, acknowledgeReferenceMismatch: true });
    expect(item).toMatchObject({ paymentIntentId: other.id, intentStatus: 'PAID' });
  });

  it('is refused for intents that are PAID or REJECTED', async () => {
    const { intent: paid } = await inReview();
    const { intent: rejected, sms: doubtful } = await inReview(of450);
    await desk.ask(doubtful.smsEventId, { action: 'reject' });
    const sms = await stray();

    for (const { id } of [paid, rejected]) {
      const answer = await desk.ask(sms.smsEventId, { action: 'link', paymentIntentId: id });
      expect(refusalOf(answer)).toBe('INTENT_NOT_PENDING');
    }
  });
});

describe('rejecting', () => {
  it('closes an intent in review; later money for it opens an exception', async () => {
    const { intent, sms } = await inReview(of450);
    const more = { ...someEvidence({ trxId: aName(), ...of450 }), referenceKey: sms.referenceKey };
    await session.deliver(smsArrives(more));

    const { refusal } = await desk.ask(sms.smsEventId, { action: 'reject' });

    expect(refusal).toBeNull();
    const { rejectedAt, ...stored } = (await findIntent(session.db, intent.id)) ?? {};
    expect(stored).toMatchObject({ status: 'REJECTED' });
    expect(rejectedAt).toEqual(expect.any(Date));
    expect(await announcedOf(sms.smsEventId)).toMatchObject({
      type: 'match.rejected',
      data: { reason: 'rejected_by_person', intent: { status: 'REJECTED' }, sms: { status: 'REJECTED' } },
    });
    expect(await session.matchOf(more.smsEventId)).toMatchObject({
      status: 'REVIEW_REQUIRED',
      reason: 'intent_closed',
    });
  });

  it('is refused for an intent that is not in review', async () => {
    const { intent, sms } = await inReview({ ingestedAt: after(20) }, { expired: true });

    expect(refusalOf(await desk.ask(sms.smsEventId, { action: 'reject' }))).toBe('INTENT_NOT_IN_REVIEW');
    expect(await session.statusOf(intent.id)).toBe('EXPIRED');
  });

  it('can name the intent that stayed in review after its money was refunded', async () => {
    const { intent, sms } = await inReview(of450);
    await desk.ask(sms.smsEventId, { action: 'refunded' });

    expect(refusalOf(await desk.ask(sms.smsEventId, { action: 'reject' }))).toBe('EXCEPTION_DECIDED');
    const { refusal } = await desk.ask(sms.smsEventId, { action: 'reject', paymentIntentId: intent.id });

    expect(refusal).toBeNull();
    expect(await session.statusOf(intent.id)).toBe('REJECTED');
    expect(await session.matchOf(sms.smsEventId)).toMatchObject({ reason: 'refunded' });
  });

  it('lets the claim of another intent put the text back into review, also in another transaction', async () => {
    const [wrong, payer] = [anIntent({ reference: aName(), ...of450 }), anIntent({ reference: aName() })];
    const sms = someEvidence({ trxId: aName() });
    const own = claimArrives(payer.id, sms.trxId, after(4));
    await session.deliver(intentArrives(wrong), intentArrives(payer), smsArrives(sms));
    await session.deliver(claimArrives(wrong.id, sms.trxId));
    const rejected = await desk.ask(sms.smsEventId, { action: 'reject' });
    expect(rejected.item).toMatchObject({ status: 'CLOSED', paymentIntentId: wrong.id });

    await session.deliver(own);
    await session.deliver(own);

    const { refusal, item } = await desk.ask(sms.smsEventId, { action: 'assign', assigneeId: null });
    expect(refusal).toBeNull();
    expect(item).toMatchObject({
      status: 'OPEN',
      kind: 'doubtful',
      reason: 'other_intent_rejected',
      paymentIntentId: payer.id,
      intentStatus: 'REVIEW_REQUIRED',
      resolvedBy: null,
      doubts: ['other_intent_rejected'],
    });
    expect(await announcedOf(sms.smsEventId)).toMatchObject({
      type: 'match.review_required',
      data: { intent: { id: payer.id, status: 'REVIEW_REQUIRED' }, sms: { status: 'MATCH_PENDING', sequence: 4 } },
    });
    const acknowledged: Asked = { action: 'resolve', acknowledgeDoubts: ['other_intent_rejected'] };
    expect((await desk.ask(sms.smsEventId, acknowledged)).refusal).toBeNull();
    expect(await session.statusOf(payer.id)).toBe('PAID');
  });

  it('of one competing intent leaves the text in review for the other one', async () => {
    const [wrong, payer] = [anIntent({ reference: aName() }), anIntent({ reference: aName() })];
    const sms = someEvidence({ trxId: aName() });
    const claims = [wrong, payer].map(({ id }, n) => claimArrives(id, sms.trxId, after(3, n)));
    await session.deliver(intentArrives(wrong), intentArrives(payer), ...claims, smsArrives(sms));

    const { refusal, item } = await desk.ask(sms.smsEventId, { action: 'reject', paymentIntentId: wrong.id });

    expect(refusal).toBeNull();
    expect(item).toMatchObject({ status: 'OPEN', reason: 'other_intent_rejected', paymentIntentId: payer.id });
    expect(await session.statusOf(wrong.id)).toBe('REJECTED');
    await session.deliver(claimArrives(payer.id, sms.trxId, after(4)));
    expect(await session.statusOf(payer.id)).toBe('REVIEW_REQUIRED');
  });
});

describe('a text without doubts of a TrxID whose stored text is doubtful', () => {
  it('replaces it and pays when it was only forwarded without its SIM, in any order of transactions', async () => {
    const reference = aName();
    const intent = anIntent({ reference });
    const stored = someEvidence({ reference, trxId: aName(), receiverAccountId: undefined });
    const text = someEvidence({ reference, trxId: stored.trxId, ingestedAt: after(3) });
    await session.deliver(intentArrives(intent), smsArrives(stored));

    await Promise.all([session.deliver(smsArrives(text)), session.deliver(claimArrives(intent.id, text.trxId))]);
    await session.deliver(smsArrives(stored), smsArrives(text));

    expect(await session.statusOf(intent.id)).toBe('PAID');
    expect(await session.matchOf(text.smsEventId)).toMatchObject({ status: 'MATCHED' });
    expect(await session.matchOf(stored.smsEventId)).toMatchObject({ status: 'DUPLICATE', payment_intent_id: null });
  });

  it('with another amount replaces it as evidence, and a person decides about both exceptions', async () => {
    const [named, payer] = [anIntent({ reference: aName() }), anIntent({ reference: aName() })];
    const forged = {
      ...someEvidence({ trxId: aName(), signals: [aSignal('trx_id_time')] }),
      referenceKey: named.referenceKey,
    };
    const genuine = {
      ...someEvidence({ trxId: forged.trxId, ingestedAt: after(3) }),
      referenceKey: payer.referenceKey,
    };
    await session.deliver(intentArrives(named), intentArrives(payer), smsArrives(forged));

    await session.deliver(smsArrives(genuine));
    await session.deliver(claimArrives(payer.id, genuine.trxId, after(4)));

    const about = { status: 'REVIEW_REQUIRED', reason: 'contradicting_texts' };
    expect(await session.matchOf(forged.smsEventId)).toMatchObject({ ...about, payment_intent_id: named.id });
    expect(await session.matchOf(genuine.smsEventId)).toMatchObject({ ...about, payment_intent_id: payer.id });
    expect(await session.statusOf(payer.id)).toBe('REVIEW_REQUIRED');
    const approved = await desk.ask(forged.smsEventId, { action: 'resolve' });
    expect(refusalOf(approved)).toBe('duplicate_trx_id');
    expect(approved.item).toMatchObject({ status: 'OPEN', kind: 'doubtful', money: null, receivedAmount: '500' });
    expect((await desk.ask(forged.smsEventId, { action: 'reject' })).refusal).toBeNull();
    expect((await desk.ask(genuine.smsEventId, CONTRADICTING)).refusal).toBeNull();
    expect([await session.statusOf(named.id), await session.statusOf(payer.id)]).toEqual(['REJECTED', 'PAID']);
  });

  it('with another amount replaces one that a person has closed, and goes to review', async () => {
    const intent = anIntent({ reference: aName() });
    const forged = someEvidence({ trxId: aName(), amount: amountFromWire('9000') });
    const genuine = {
      ...someEvidence({ trxId: forged.trxId, ingestedAt: after(3) }),
      referenceKey: intent.referenceKey,
    };
    await session.deliver(smsArrives(forged));
    await desk.ask(forged.smsEventId, { action: 'not-ours' });

    await session.deliver(smsArrives(genuine));
    expect(await session.matchOf(genuine.smsEventId)).toMatchObject({
      status: 'PENDING',
      doubts: ['contradicting_texts'],
    });
    await session.deliver(intentArrives(intent));

    expect(await session.matchOf(genuine.smsEventId)).toMatchObject({ reason: 'contradicting_texts' });
    expect((await desk.ask(genuine.smsEventId, CONTRADICTING)).refusal).toBeNull();
    expect(await session.statusOf(intent.id)).toBe('PAID');
    expect(refusalOf(await desk.ask(forged.smsEventId, { action: 'reopen' }))).toBe('NO_MONEY_READ');
  });
});

describe('evidence that is excluded', () => {
  it.each(['refunded', 'not-ours'] as const)(
    'as %s pays nothing, and the intent that arrived meanwhile when a person reopens it',
    async (action) => {
      const reference = aName();
      const sms = someEvidence({ reference, trxId: aName() });
      const intent = anIntent({ reference });
      await session.deliver(smsArrives(sms));

      await desk.ask(sms.smsEventId, { action });
      await session.deliver(intentArrives(intent), claimArrives(intent.id, sms.trxId));

      expect(await session.statusOf(intent.id)).toBe('PENDING');
      expect(await announcedOf(sms.smsEventId)).toMatchObject({ type: 'match.rejected', data: { intent: null } });

      const { refusal, item } = await desk.ask(sms.smsEventId, { action: 'reopen' });
      expect(refusal).toBeNull();
      expect(item).toMatchObject({ matchStatus: 'MATCHED', reason: 'reference_match', resolvedBy: null });
      expect(await session.statusOf(intent.id)).toBe('PAID');
      const decisions = eventsOf(await session.announced(), 'match.pending', 'match.confirmed');
      expect(decisions.filter(({ data }) => data.sms?.id === sms.smsEventId).slice(-2)).toMatchObject([
        { type: 'match.pending', data: { reason: 'reopened', sms: { sequence: 3 } } },
        { type: 'match.confirmed', data: { sms: { sequence: 4 }, intent: { id: intent.id, status: 'PAID' } } },
      ]);
      expect(refusalOf(await desk.ask(sms.smsEventId, { action: 'reopen' }))).toBe('EXCEPTION_NOT_CLOSED');
    },
  );

  it('keeps its kind when it is reopened, each time', async () => {
    const { sms } = await inReview({}, { expired: true });

    for (const action of ['refunded', 'not-ours'] as const) {
      expect((await desk.ask(sms.smsEventId, { action })).item.status).toBe('CLOSED');
      const { item } = await desk.ask(sms.smsEventId, { action: 'reopen' });
      expect(item).toMatchObject({ status: 'OPEN', kind: 'late_payment', reason: 'late_payment' });
    }
  });

  it('without an intent is what it was before when it is reopened: over its match window, or of a refused method', async () => {
    const [lapsed, refused] = [someEvidence({ trxId: aName() }), someEvidence({ trxId: aName() })];
    const other = { ...refused, provider: 'NAGAD', method: 'NAGAD_PAYMENT', receiverAccountId: undefined } as const;
    await session.deliver(smsArrives(lapsed), smsArrives(other));
    await session.deliver({ kind: 'window', tenant: lapsed.tenant, smsEventId: lapsed.smsEventId });

    for (const [{ smsEventId }, was] of [
      [lapsed, { matchStatus: 'EXPIRED', kind: 'no_intent', reason: 'match_window_over' }],
      [other, { matchStatus: 'FAILED', kind: 'method_not_allowed', reason: 'method_not_allowed' }],
    ] as const) {
      expect((await desk.ask(smsEventId, { action: 'not-ours' })).item).toMatchObject({ status: 'CLOSED' });
      const { item } = await desk.ask(smsEventId, { action: 'reopen' });
      expect(item).toMatchObject({ status: 'OPEN', ...was });
    }
  });

  it('can be an unparsed text', async () => {
    const unread = someEvidence();
    await session.deliver(unparsedArrives(unread, 1, 'unsupported_format'));

    const { item } = await desk.ask(unread.smsEventId, { action: 'not-ours' });

    expect(item).toMatchObject({ status: 'CLOSED', matchStatus: 'REJECTED', money: null });
    await session.deliver(smsArrives({ ...unread, factsSequence: 2 }));
    expect(await session.matchOf(unread.smsEventId)).toMatchObject({ status: 'REJECTED' });
  });
});

describe('an action that is sent again', () => {
  it('with its request id is applied once and gets the same response; the id cannot be used for another action', async () => {
    const { sms } = await inReview(of450);
    const twice = { actor: aReviewer(), requestId: randomUUID() };
    const resolve = { action: 'resolve', ...ACKNOWLEDGED } as const;

    const answers = await Promise.all([1, 2, 3].map(() => desk.ask(sms.smsEventId, resolve, twice)));
    const again = await desk.ask(sms.smsEventId, resolve, twice);
    const other = await desk.ask(sms.smsEventId, { action: 'reopen' }, twice);

    expect([...answers, again].map(({ refusal }) => refusal)).toEqual([null, null, null, null]);
    expect(again.item.actions).toHaveLength(1);
    expect(refusalOf(other)).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('with another request id gets the name of the first reviewer', async () => {
    const { sms } = await inReview(of450);
    const actor = aReviewer();
    await desk.ask(sms.smsEventId, { action: 'not-ours' }, { actor });

    const { refusal, item } = await desk.ask(sms.smsEventId, { action: 'resolve', ...ACKNOWLEDGED });

    expect(refusal).toMatchObject({ code: 'EXCEPTION_DECIDED', message: expect.stringContaining(actor.userId) });
    expect(item.resolvedBy).toBe(actor.userId);
  });
});

it('assigns an exception while it is open; any reviewer may still decide', async () => {
  const { sms } = await inReview(of450);
  const assigneeId = randomUUID();

  const assigned = await desk.ask(sms.smsEventId, { action: 'assign', assigneeId });
  const decided = await desk.ask(sms.smsEventId, { action: 'refunded' });
  const late = await desk.ask(sms.smsEventId, { action: 'assign', assigneeId: null });

  expect(assigned).toMatchObject({ refusal: null, item: { assigneeId, status: 'OPEN' } });
  expect(decided.refusal).toBeNull();
  expect(refusalOf(late)).toBe('EXCEPTION_DECIDED');
});
