import { amountFromWire, exceptionListQuerySchema, eventsOf, type ReviewAction } from '@pay/contracts';
import { failOnLeaks } from '@pay/testing';
import type { Evidence, Intent } from '../src/domain/facts';
import { MOST_UNSEEN_CLAIMS } from '../src/domain/record-claims';
import { MOST_OPEN_OF_TRX_ID } from '../src/matching/dispute-repository';
import { findException } from '../src/reviews/find-exception';
import { listExceptions } from '../src/reviews/list-exceptions';
import { after, anIntent, claimArrives, intentArrives, readAgain, SHOP, smsArrives, someEvidence } from './builders';
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

const of700 = { amount: amountFromWire('700') };
const intentOf = (given: Parameters<typeof anIntent>[0] = {}) => anIntent({ reference: aName(), ...given });
const claims = (intent: Intent, trxId: string, second = 0) =>
  session.deliver(claimArrives(intent.id, trxId, after(3, second)));
/** A claim with the digits of the paying number prevails over others. */
const claimsAsPayer = (intent: Intent, trxId: string) =>
  session.deliver(claimArrives(intent.id, trxId, after(4), SHOP, { payerDigits: '678' }));
const reject = (id: string, paymentIntentId?: string) => act(id, { action: 'reject', paymentIntentId });

async function act(
  exceptionId: string,
  action: Pick<ReviewAction, 'action'> & { readonly paymentIntentId?: string | undefined },
) {
  return desk.askItem(exceptionId, action as Parameters<typeof desk.askItem>[1]);
}

async function disputesOf(trxId: string) {
  const query = exceptionListQuerySchema.parse({ limit: '100', kind: 'disputed_trx_id' });
  const { data } = await listExceptions(session, { merchantId: SHOP.merchantId, ...query });
  return data.filter(({ money }) => money?.trxId === trxId);
}

const rejectionsOf = async ({ id }: Intent) =>
  eventsOf(await session.announced(), 'match.rejected').filter(({ data }) => data.intent?.id === id);

/** A payment of 500 without a reference, claimed for intents of 700, which go to review. */
async function claimedWrongly(intents: readonly Intent[] = [intentOf(of700)]) {
  const sms = someEvidence({ trxId: aName() });
  await session.deliver(...intents.map(intentArrives), smsArrives(sms));
  for (const [n, intent] of intents.entries()) await claims(intent, sms.trxId, n);
  for (const { id } of intents) expect(await session.statusOf(id)).toBe('REVIEW_REQUIRED');
  return { sms, inReview: intents[0] ?? intentOf() };
}

/** The same, and then the claim of an intent of 500 is paid. */
async function consumed(intents?: readonly Intent[]) {
  const { sms, inReview } = await claimedWrongly(intents);
  const paid = await paidBy(sms);
  const dispute = (await disputesOf(sms.trxId)).find(({ paymentIntentId }) => paymentIntentId === inReview.id);
  return { sms, inReview, paid, disputeId: dispute?.id ?? '' };
}

async function paidBy(sms: Evidence): Promise<Intent> {
  const paid = intentOf();
  await session.deliver(intentArrives(paid));
  await claimsAsPayer(paid, sms.trxId);
  expect(await session.matchOf(sms.smsEventId)).toMatchObject({ status: 'MATCHED', payment_intent_id: paid.id });
  return paid;
}

/** Stores as many disputes of other intents as leave room for one more. */
async function nearLimitOfDisputes({ tenant, smsEventId, trxId, amount }: Evidence): Promise<void> {
  await session.db.execute(
    `insert into disputes (id, merchant_id, environment, payment_intent_id, trx_id, sms_event_id, submitted_at, paid_intent_id,
       received_amount, created_at)
     select gen_random_uuid(), $1, $2, gen_random_uuid(), $3, $4, now(), gen_random_uuid(), $5, now() - interval '1 day'
     from generate_series(1, $6::int)`,
    [tenant.merchantId, tenant.environment, trxId, smsEventId, amount.toString(), MOST_OPEN_OF_TRX_ID - 1],
  );
}

/** Later claims of unknown TrxIDs: the earliest open claims of the intent without a text are dropped. */
async function dropClaims(intent: Intent) {
  for (let n = 1; n <= MOST_UNSEEN_CLAIMS; n += 1) await session.deliver(claimArrives(intent.id, aName(), after(3, n)));
}

const matchIdOf = async (smsEventId: string) => String((await session.matchOf(smsEventId))?.['id']);

describe('an intent in review whose SMS paid another intent', () => {
  it('is rejected with its dispute by one decision, which is signed and published like any rejection', async () => {
    const { sms, inReview, paid, disputeId } = await consumed();

    const { refusal, item } = await reject(disputeId);

    expect(refusal).toBeNull();
    expect(item).toMatchObject({
      status: 'CLOSED',
      reason: 'rejected_by_person',
      paymentIntentId: inReview.id,
      intentStatus: 'REJECTED',
      actions: [{ action: 'reject' }],
    });
    expect(await session.statusOf(inReview.id)).toBe('REJECTED');
    expect(await session.statusOf(paid.id)).toBe('PAID');
    const [event, ...others] = await rejectionsOf(inReview);
    expect(others).toEqual([]);
    expect(event?.data).toMatchObject({
      reason: 'rejected_by_person',
      decidedBy: `user:${item.resolvedBy}`,
      paymentIntentId: inReview.id,
      intent: { status: 'REJECTED', sequence: 2 },
      sms: null,
      checks: null,
    });
    const kept = await session.db.query<{ record: string }>('select record from decisions where id = $1', [
      event?.aggregateId,
    ]);
    expect(JSON.parse(kept[0]?.record ?? '{}')).toMatchObject({ intent: { status: 'REJECTED' }, checks: null });
    expect(await session.matchOf(sms.smsEventId)).toMatchObject({ status: 'MATCHED', payment_intent_id: paid.id });
    expect((await reject(disputeId)).refusal?.code).toBe('EXCEPTION_DECIDED');
  });

  it('stays in review if the dispute is rejected while another exception leads to it, and that exception decides', async () => {
    const { inReview, disputeId } = await consumed();
    const other = { ...someEvidence({ trxId: aName() }), referenceKey: inReview.referenceKey };
    await session.deliver(smsArrives(other));

    const { refusal, item } = await reject(disputeId);

    expect(refusal).toBeNull();
    expect(item.status).toBe('CLOSED');
    expect(await session.statusOf(inReview.id)).toBe('REVIEW_REQUIRED');
    expect((await reject(disputeId, inReview.id)).refusal?.code).toBe('INTENT_IN_OTHER_EXCEPTION');
    expect(await rejectionsOf(inReview)).toEqual([]);
    expect((await reject(await matchIdOf(other.smsEventId))).refusal).toBeNull();
    expect(await session.statusOf(inReview.id)).toBe('REJECTED');
  });

  it('stays in review if the dispute is rejected while an exception of another intent lists it as a candidate', async () => {
    const { inReview, disputeId } = await consumed();
    const own = intentOf({ amount: amountFromWire('900') });
    const sms = someEvidence({ trxId: aName() });
    await session.deliver(intentArrives(own), smsArrives(sms));
    await claims(own, sms.trxId);
    await claims(inReview, sms.trxId, 1);
    await dropClaims(inReview);

    await reject(disputeId);

    expect(await session.statusOf(inReview.id)).toBe('REVIEW_REQUIRED');
    expect((await reject(await matchIdOf(sms.smsEventId), inReview.id)).refusal).toBeNull();
    expect(await session.matchOf(sms.smsEventId)).toMatchObject({
      status: 'REVIEW_REQUIRED',
      payment_intent_id: own.id,
    });
  });

  it('stays in review until the last of its disputes is rejected', async () => {
    const first = await consumed();
    const second = await consumed();
    await session.deliver(claimArrives(first.inReview.id, second.sms.trxId));
    const secondDispute = (await disputesOf(second.sms.trxId)).find(
      (each) => each.paymentIntentId === first.inReview.id,
    );

    await reject(first.disputeId);
    expect(await session.statusOf(first.inReview.id)).toBe('REVIEW_REQUIRED');
    await reject(secondDispute?.id ?? '');

    expect(await session.statusOf(first.inReview.id)).toBe('REJECTED');
  });

  it.each(['refunded', 'not-ours'] as const)(
    'can be rejected by name after its dispute was closed as %s',
    async (action) => {
      const { inReview, disputeId } = await consumed();
      await dropClaims(inReview);
      await act(disputeId, { action });

      expect(await session.statusOf(inReview.id)).toBe('REVIEW_REQUIRED');
      expect((await reject(disputeId)).refusal?.code).toBe('EXCEPTION_DECIDED');
      expect((await reject(disputeId, inReview.id)).refusal).toBeNull();
      expect(await session.statusOf(inReview.id)).toBe('REJECTED');
    },
  );

  it('has a dispute also if the text names the paid intent, and no dispute if it was not in review', async () => {
    const paid = intentOf();
    const [inReview, pending] = [intentOf(of700), intentOf(of700)];
    const sms = { ...someEvidence({ trxId: aName() }), referenceKey: paid.referenceKey };
    await session.deliver(intentArrives(inReview), intentArrives(pending), smsArrives(sms));
    await claims(inReview, sms.trxId);
    await session.deliver(intentArrives(paid));
    await claims(pending, sms.trxId);

    expect(await session.matchOf(sms.smsEventId)).toMatchObject({ status: 'MATCHED', path: 'REFERENCE' });
    const [dispute, ...others] = await disputesOf(sms.trxId);
    expect(dispute?.paymentIntentId).toBe(inReview.id);
    expect(others).toEqual([]);
    await reject(dispute?.id ?? '');
    expect(await session.statusOf(inReview.id)).toBe('REJECTED');
    expect(await session.statusOf(pending.id)).toBe('PENDING');
  });

  it('is listed by the disputes of its TrxID beyond their limit, and can be rejected there by name', async () => {
    const intents = [intentOf(of700), intentOf(of700)];
    const { sms } = await claimedWrongly(intents);
    await nearLimitOfDisputes(sms);
    await paidBy(sms);
    const disputes = await disputesOf(sms.trxId);
    const disputed = new Set(disputes.map(({ paymentIntentId }) => paymentIntentId));
    const left = intents.find(({ id }) => !disputed.has(id));
    const [dispute] = disputes;

    const { candidates } = await findException(session, SHOP.merchantId, dispute?.id ?? '');

    expect(candidates).toContainEqual(
      expect.objectContaining({
        paymentIntentId: left?.id,
        reason: 'trx_id_match_amount_mismatch',
        failedRules: ['amount'],
        intent: expect.objectContaining({ status: 'REVIEW_REQUIRED' }),
      }),
    );
    const { refusal, item } = await reject(dispute?.id ?? '', left?.id);
    expect(refusal).toBeNull();
    expect(item.status).toBe('OPEN');
    expect(await session.statusOf(left?.id ?? '')).toBe('REJECTED');
    expect(await session.statusOf(dispute?.paymentIntentId ?? '')).toBe('REVIEW_REQUIRED');
  });
});

describe('an intent in review whose claims were dropped', () => {
  it('can be rejected by name through the re-parsed text that led it to review', async () => {
    const { sms, inReview } = await claimedWrongly();
    const reparsed = readAgain(sms, { trxId: aName() });
    await session.deliver(smsArrives(reparsed));
    await dropClaims(inReview);
    const paid = intentOf();
    await session.deliver(intentArrives(paid));
    await claims(paid, reparsed.trxId);
    const matchId = await matchIdOf(sms.smsEventId);

    expect(await session.statusOf(paid.id)).toBe('PAID');
    expect(await disputesOf(reparsed.trxId)).toEqual([]);
    const { candidates } = await findException(session, SHOP.merchantId, matchId);
    expect(candidates.map(({ paymentIntentId }) => paymentIntentId)).toContain(inReview.id);
    await expect(reject(matchId, intentOf().id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await reject(matchId, inReview.id)).refusal).toBeNull();
    expect(await session.statusOf(inReview.id)).toBe('REJECTED');
  });

  it('cannot be rejected through the match of another TrxID', async () => {
    const { inReview } = await claimedWrongly();
    const other = await claimedWrongly();

    const { refusal } = await reject(await matchIdOf(other.sms.smsEventId), inReview.id);

    expect(refusal?.code).toBe('NOT_FOUND');
    expect(await session.statusOf(inReview.id)).toBe('REVIEW_REQUIRED');
  });
});

describe('other intents in review of an exception that a person closes', () => {
  it.each([
    ['linked to another intent', 'link'],
    ['closed as refunded', 'refunded'],
    ['closed as not ours', 'not-ours'],
    ['rejected with its own intent', 'reject'],
  ] as const)(
    'stay in review when it is %s, are listed as candidates, and can be rejected by name',
    async (_how, action) => {
      const intents = [intentOf(of700), intentOf({ amount: amountFromWire('900') })];
      const { sms } = await claimedWrongly(intents);
      const other = intents[1] ?? intentOf();
      const stray = intentOf();
      await session.deliver(intentArrives(stray));
      const matchId = await matchIdOf(sms.smsEventId);

      const decided = await act(matchId, action === 'link' ? { action, paymentIntentId: stray.id } : { action });
      expect(decided.refusal).toBeNull();

      expect(await session.statusOf(other.id)).toBe('REVIEW_REQUIRED');
      expect(decided.item.candidates.find((each) => each.paymentIntentId === other.id)?.intent?.status).toBe(
        'REVIEW_REQUIRED',
      );
      expect((await reject(matchId, other.id)).refusal).toBeNull();
      expect(await session.statusOf(other.id)).toBe('REJECTED');
    },
  );

  it('stay in review and can be rejected by name after the text was re-parsed with another TrxID', async () => {
    const { sms, inReview } = await claimedWrongly();
    await session.deliver(smsArrives(readAgain(sms, { trxId: aName() })));
    const matchId = await matchIdOf(sms.smsEventId);

    expect(await session.matchOf(sms.smsEventId)).toMatchObject({ status: 'PENDING', payment_intent_id: null });
    expect(await session.statusOf(inReview.id)).toBe('REVIEW_REQUIRED');
    const { candidates } = await findException(session, SHOP.merchantId, matchId);
    expect(candidates.map(({ paymentIntentId }) => paymentIntentId)).toEqual([inReview.id]);
    expect((await reject(matchId, inReview.id)).refusal).toBeNull();
    expect(await session.statusOf(inReview.id)).toBe('REJECTED');
  });
});

it('many rejections of one dispute at the same time reject its intent once', async () => {
  const { inReview, disputeId } = await consumed();

  const answers = await Promise.all(Array.from({ length: 8 }, () => reject(disputeId)));

  expect(answers.filter(({ refusal }) => refusal === null)).toHaveLength(1);
  expect(await rejectionsOf(inReview)).toHaveLength(1);
});

it('an exception that arrives while a dispute is rejected is not lost: it leads to the rejected intent or keeps it in review', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { inReview, disputeId } = await consumed();
    const sms = {
      ...someEvidence({ trxId: aName(), amount: amountFromWire('650') }),
      referenceKey: inReview.referenceKey,
    };

    await Promise.all([reject(disputeId), session.deliver(smsArrives(sms))]);

    const status = await session.statusOf(inReview.id);
    const reason = status === 'REJECTED' ? 'intent_closed' : 'reference_match_amount_mismatch';
    expect(await session.matchOf(sms.smsEventId)).toMatchObject({ status: 'REVIEW_REQUIRED', reason });
  }
});
