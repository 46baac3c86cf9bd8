import { randomUUID } from 'node:crypto';
import { exceptionListQuerySchema, type ExceptionListQuery, type ReviewAction, BusinessError } from '@pay/contracts';
import { failOnLeaks } from '@pay/testing';
import { MOST_OF_INTENT, MOST_OPEN_OF_TRX_ID } from '../src/matching/dispute-repository';
import { deleteOldRecords } from '../src/retention/delete-old-records';
import type { Intent } from '../src/domain/facts';
import { findException } from '../src/reviews/find-exception';
import { decideClaims } from '../src/intake/decide-claims';
import { listExceptions } from '../src/reviews/list-exceptions';
import { reviewException } from '../src/reviews/review-exception';
import {
  after,
  anIntent,
  claimArrives,
  intentArrives,
  OTHER_WALLET,
  SHOP,
  smsArrives,
  someEvidence,
  submittedAgain,
} from './builders';
import { aName, openSession, silent, type SessionUnderTest } from './session-under-test';
import { aReviewer } from './review-under-test';

let session: SessionUnderTest;
beforeAll(async () => {
  session = await openSession();
});
afterAll(() => session.close());
failOnLeaks();

const list = (query: Partial<Record<keyof ExceptionListQuery, string>> = {}) =>
  listExceptions(session, {
    merchantId: SHOP.merchantId,
    ...exceptionListQuerySchema.parse({ limit: '100', ...query }),
  });
const claimOf = (intent: Intent, trxId: string, submittedAt = after(3)) => claimArrives(intent.id, trxId, submittedAt);

/** A payment that paid another customer's intent by a claim of its TrxID. */
async function aStolenPayment() {
  const [thief, payer] = [anIntent({ reference: aName() }), anIntent({ reference: aName() })];
  const sms = someEvidence({ trxId: aName() });
  await session.deliver(...[thief, payer].map(intentArrives), smsArrives(sms));
  await session.deliver(claimOf(thief, sms.trxId, after(2, 30)));
  return { thief, payer, sms };
}

const disputesOf = async (trxId: string) =>
  (await list({ kind: 'disputed_trx_id' })).data.filter(({ money }) => money?.trxId === trxId);

async function disputedIntentsOf(trxId: string): Promise<string[]> {
  const rows = await session.db.query<{ id: string }>(
    'select payment_intent_id as id from disputes where trx_id = $1 and closed_at is null',
    [trxId],
  );
  return rows.map(({ id }) => id);
}

async function act(
  id: string,
  action: Pick<ReviewAction, 'action'> & Record<string, unknown>,
  requestId = randomUUID(),
) {
  const fetchIntent = () => Promise.reject(new BusinessError('NOT_FOUND'));
  const asked = { requestId, reason: 'We have called both customers', ...action } as ReviewAction;
  return reviewException({ ...session.deps, fetchIntent }, SHOP.merchantId, id, aReviewer(), asked);
}

describe('a claim of a TrxID that the claim of another intent has used', () => {
  it('is refused as duplicate_trx_id and opens an exception with both intents, both times and a masked number', async () => {
    const { thief, payer, sms } = await aStolenPayment();
    const submission = { claim: claimOf(payer, sms.trxId), with: [] };

    const [answer] = await session.db.transaction((tx) => decideClaims(session.deps, tx, [submission]));

    expect(answer).toMatchObject({ outcome: 'duplicate_trx_id', smsEventId: null, intentStatus: 'PENDING' });
    const [item, ...others] = await disputesOf(sms.trxId);
    expect(others).toEqual([]);
    expect(item).toMatchObject({
      status: 'OPEN',
      kind: 'disputed_trx_id',
      reason: 'disputed_trx_id',
      matchStatus: 'DUPLICATE',
      path: 'TRX_ID',
      paymentIntentId: payer.id,
      intentStatus: 'PENDING',
      expectedAmount: '500',
      receivedAmount: '500',
      smsEventId: sms.smsEventId,
      money: { payerMsisdn: '018******78' },
      dispute: {
        claimSubmittedAt: after(3).toISOString(),
        paidIntentId: thief.id,
        paidClaimSubmittedAt: after(2, 30).toISOString(),
        payerMsisdn: '018******78',
      },
    });
    const details = await findException(session, SHOP.merchantId, item?.id ?? '');
    expect(details.candidates).toMatchObject([
      { paymentIntentId: payer.id, failedRules: ['reuse'], intent: { status: 'PENDING' } },
      { paymentIntentId: thief.id, reason: 'trx_id_match', failedRules: [], intent: { status: 'PAID' } },
    ]);
    expect(details.suggestions).toEqual([]);
    await expect(findException(session, randomUUID(), item?.id ?? '')).rejects.toThrow();
  });

  it('opens an exception also if its intent shows another receiver, and is answered not_found', async () => {
    for (const isClaimedBefore of [true, false]) {
      const other = { receiverAccountId: OTHER_WALLET, paymentMethod: 'BKASH_SEND_MONEY' as const };
      const [thief, payer] = [
        anIntent({ reference: aName() }),
        anIntent({ reference: aName(), shownReceivers: [other] }),
      ];
      const sms = someEvidence({ trxId: aName() });
      const claim = claimOf(payer, sms.trxId, after(2, 20));
      await session.deliver(...[thief, payer].map(intentArrives), smsArrives(sms));
      if (isClaimedBefore) await session.deliver(claim);
      await session.deliver(claimOf(thief, sms.trxId, after(2, 30)));

      const again = { claim: submittedAgain(claim, after(4)), with: [] };
      const [answer] = await session.db.transaction((tx) => decideClaims(session.deps, tx, [again]));

      expect(answer).toMatchObject({ outcome: 'not_found', smsEventId: null, intentStatus: 'PENDING' });
      const [item, ...others] = await disputesOf(sms.trxId);
      expect(others).toEqual([]);
      expect(item).toMatchObject({
        kind: 'disputed_trx_id',
        paymentIntentId: payer.id,
        dispute: { claimSubmittedAt: after(isClaimedBefore ? 2 : 4, isClaimedBefore ? 20 : 0).toISOString() },
      });
    }
  });

  it('opens one exception when it is sent repeatedly', async () => {
    const { payer, sms } = await aStolenPayment();
    const claim = claimOf(payer, sms.trxId);

    for (const minute of [3, 4, 5]) {
      await session.deliver({ ...claim, claim: { ...claim.claim, submittedAt: after(minute) } });
      await session.deliver(claim);
    }

    expect(await disputesOf(sms.trxId)).toHaveLength(1);
  });

  it('is listed with filters, with other exceptions and over pages', async () => {
    const { payer, sms } = await aStolenPayment();
    await session.deliver(claimOf(payer, sms.trxId));
    const [item] = await disputesOf(sms.trxId);
    const ids = async (query: Parameters<typeof list>[0]) => (await list(query)).data.map(({ id }) => id);

    expect(await ids({})).toContain(item?.id);
    expect(await ids({ reason: 'disputed_trx_id' })).toContain(item?.id);
    expect(await ids({ amountFrom: '500', amountTo: '500' })).toContain(item?.id);
    expect(await ids({ receiverAccountId: sms.receiverAccountId ?? '' })).toContain(item?.id);
    expect(await ids({ environment: 'SANDBOX' })).not.toContain(item?.id);
    expect(await ids({ status: 'CLOSED' })).not.toContain(item?.id);
    const first = await list({ kind: 'disputed_trx_id', limit: '1' });
    const next = await list({ kind: 'disputed_trx_id', limit: '1', after: first.nextCursor ?? '' });
    expect(first.total).toBeGreaterThan(1);
    expect(next.data[0]?.id).not.toBe(first.data[0]?.id);
  });
});

describe('many claims of used TrxIDs', () => {
  it('open a limited number of exceptions for one TrxID, in one batch or several', async () => {
    for (const batches of [1, 11]) {
      const { sms } = await aStolenPayment();
      const size = Math.ceil((MOST_OPEN_OF_TRX_ID + 20) / batches);
      const intents = Array.from({ length: batches * size }, () => anIntent({ reference: aName() }));
      await session.deliver(...intents.map(intentArrives));

      for (let n = 0; n < batches; n += 1)
        await session.deliver(...intents.slice(n * size, (n + 1) * size).map((intent) => claimOf(intent, sms.trxId)));

      expect(await disputedIntentsOf(sms.trxId)).toHaveLength(MOST_OPEN_OF_TRX_ID);
    }
  });

  it("do not hide the payer's claim when they come before it from further intents of the one who was paid", async () => {
    const { payer, sms } = await aStolenPayment();
    const intents = Array.from({ length: 20 }, () => anIntent({ reference: aName() }));
    await session.deliver(...intents.map(intentArrives));
    await session.deliver(...intents.map((intent) => claimOf(intent, sms.trxId)));

    await session.deliver(claimOf(payer, sms.trxId, after(4)));

    expect(await disputedIntentsOf(sms.trxId)).toContain(payer.id);
  });

  it('open a limited number of exceptions for one intent', async () => {
    const intent = anIntent({ reference: aName() });
    await session.deliver(intentArrives(intent));
    for (let n = 0; n < 2 * MOST_OF_INTENT; n += 1) {
      const { sms } = await aStolenPayment();
      await session.deliver(claimOf(intent, sms.trxId));
    }

    const items = (await list({ kind: 'disputed_trx_id' })).data;
    expect(items.filter(({ paymentIntentId }) => paymentIntentId === intent.id)).toHaveLength(MOST_OF_INTENT);
  });
});

describe('a reviewer', () => {
  const aDispute = async () => {
    const { payer, sms } = await aStolenPayment();
    await session.deliver(claimOf(payer, sms.trxId));
    const [item] = await disputesOf(sms.trxId);
    return { id: item?.id ?? '', payer };
  };

  it.each([
    ['refunded', 'refunded'],
    ['not-ours', 'not_ours'],
    ['reject', 'rejected_by_person'],
  ] as const)('closes a dispute by %s once and can reopen it', async (action, reason) => {
    const { id, payer } = await aDispute();
    const requestId = randomUUID();

    const { refusal, item } = await act(id, { action }, requestId);

    expect(refusal).toBeNull();
    expect(item).toMatchObject({ status: 'CLOSED', kind: null, matchStatus: 'REJECTED', reason });
    expect(item.resolutionNote).toBe('We have called both customers');
    expect(item.actions.map((each) => each.action)).toEqual([action]);
    expect(await session.statusOf(payer.id)).toBe('PENDING');
    expect((await act(id, { action })).refusal?.code).toBe('EXCEPTION_DECIDED');
    expect((await list({ status: 'CLOSED' })).data.map((each) => each.id)).toContain(id);

    const reopened = await act(id, { action: 'reopen' });
    expect(reopened.item).toMatchObject({ status: 'OPEN', kind: 'disputed_trx_id', reason: 'disputed_trx_id' });
    expect((await act(id, { action: 'reopen' })).refusal?.code).toBe('EXCEPTION_NOT_CLOSED');
  });

  it('cannot pay a second intent with the TrxID', async () => {
    const { id, payer } = await aDispute();

    expect((await act(id, { action: 'resolve' })).refusal?.code).toBe('duplicate_trx_id');
    expect(await session.statusOf(payer.id)).toBe('PENDING');
  });

  it('can be assigned to a dispute', async () => {
    const { id } = await aDispute();
    const assigneeId = randomUUID();

    await act(id, { action: 'assign', assigneeId });

    expect((await list({ assigneeId })).data.map((each) => each.id)).toEqual([id]);
  });
});

describe('claims that are past their retention', () => {
  it('are deleted in batches, except those that are locked by a decision', async () => {
    await session.db.execute(
      `insert into claims (id, merchant_id, environment, payment_intent_id, trx_id, submitted_at, source, state, outcome, reason, sequence)
       select gen_random_uuid(), gen_random_uuid(), 'LIVE', gen_random_uuid(), 'OLD' || n, timestamptz '2020-01-01', 'CHECKOUT', 'OPEN',
         'waiting', 'trx_id_not_seen', 1
       from generate_series(1, 2500) n`,
    );
    const count = async () =>
      (await session.db.query<{ count: number }>(`select count(*)::integer from claims where trx_id like 'OLD%'`))[0]
        ?.count;
    const deps = {
      db: session.db,
      log: silent,
      now: () => new Date(),
      retention: { claimDays: 180, recordDays: 2_192 },
      decisionChain: session.deps.decisionChain,
    };
    const signal = new AbortController().signal;

    await session.db.transaction(async (tx) => {
      await tx.execute(`select 1 from claims where trx_id = 'OLD7' for update`);
      await deleteOldRecords(deps, signal);
    });
    expect(await count()).toBe(1);
    await deleteOldRecords(deps, signal);

    expect(await count()).toBe(0);
    expect((await session.db.query('select 1 from claims limit 1')).length).toBe(1);
  });
});
