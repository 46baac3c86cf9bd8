import { failOnLeaks } from '@pay/testing';
import { sealDecisions } from '../src/decision-chain/seal-decisions';
import { verifyDecisions } from '../src/decision-chain/verify-decisions';
import { erasePayers } from '../src/retention/erase-payers';
import { anIntent, claimArrives, intentArrives, SHOP, smsArrives, someEvidence } from './builders';
import { reviewDesk } from './review-under-test';
import { aName, openSession, type SessionUnderTest } from './session-under-test';

const PAYER = '01711000999';

let session: SessionUnderTest;
beforeAll(async () => {
  session = await openSession();
});
afterAll(() => session.close());
failOnLeaks();

const erase = (ids: { smsEventIds?: string[]; paymentIntentIds?: string[] }, merchantId = SHOP.merchantId) =>
  session.db.transaction((tx) =>
    erasePayers(tx, { merchantId, msisdns: [PAYER], smsEventIds: [], paymentIntentIds: [], ...ids }),
  );
const payerOf = async (smsEventId: string) =>
  (await session.db.query('select payer_msisdn as payer from evidence where sms_event_id = $1', [smsEventId]))[0]?.[
    'payer'
  ] as string | null;
const expectedOf = async (id: string) =>
  (await session.db.query('select expected_sender_msisdn as payer from intents where id = $1', [id]))[0]?.['payer'] as
    string | null;

describe('the erasure of a payer', () => {
  it('erases evidence that has paid and its intent; decisions, money and the chain are verified as before', async () => {
    const reference = aName();
    const intent = anIntent({ reference, expectedSenderMsisdn: PAYER });
    const text = someEvidence({ reference, trxId: aName(), payerMsisdn: '+8801711-000999' });
    await session.deliver(intentArrives(intent), smsArrives(text));
    await sealDecisions(session.deps, new AbortController().signal);
    const records = () =>
      session.db.query('select record from decisions where payment_intent_id = $1 order by id', [intent.id]);
    const before = await records();

    const erased = await erase({ smsEventIds: [text.smsEventId], paymentIntentIds: [intent.id] });

    expect(erased).toEqual({ erased: 2, openIds: [] });
    expect([await payerOf(text.smsEventId), await expectedOf(intent.id)]).toEqual([null, null]);
    expect(before).toHaveLength(1);
    expect(await records()).toEqual(before);
    expect(JSON.stringify(before)).not.toContain('1711000999');
    expect((await verifyDecisions(session.deps, SHOP)).broken).toBeNull();
  });

  it('erases the number in the reference of a text, and keeps the number of another payer', async () => {
    const text = { ...someEvidence({ trxId: aName(), payerMsisdn: '01811000888' }), referenceKey: PAYER };
    await session.deliver(smsArrives(text));
    await session.deliver({ kind: 'window', tenant: SHOP, smsEventId: text.smsEventId });

    expect(await erase({ smsEventIds: [text.smsEventId] })).toEqual({ erased: 1, openIds: [] });

    const rows = await session.db.query(
      'select payer_msisdn as payer, reference_key as reference from evidence where sms_event_id = $1',
      [text.smsEventId],
    );
    expect(rows).toEqual([{ payer: '01811000888', reference: null }]);
  });

  it.each(['waiting', 'in review'])(
    'leaves a text that was %s and is closed to a person after it is reopened',
    async (when) => {
      const desk = reviewDesk(session);
      const [intent, odd] = [anIntent({ reference: aName() }), anIntent({ reference: aName(), status: 'EXPIRED' })];
      const text = someEvidence({
        trxId: aName(),
        payerMsisdn: PAYER,
        ...(when === 'waiting' ? {} : { reference: odd.referenceKey }),
      });
      await session.deliver(intentArrives(odd), smsArrives(text));
      await desk.ask(text.smsEventId, { action: 'not-ours' });
      expect(await erase({ smsEventIds: [text.smsEventId] })).toEqual({ erased: 1, openIds: [] });
      await session.deliver(intentArrives(intent), claimArrives(intent.id, text.trxId));

      await desk.ask(text.smsEventId, { action: 'reopen' });

      expect(await session.statusOf(intent.id)).toBe('REVIEW_REQUIRED');
      expect(await session.matchOf(text.smsEventId)).toMatchObject({ status: 'REVIEW_REQUIRED' });
    },
  );

  it('does not change evidence and intents that can still be used without a person, or those of other merchants', async () => {
    const waiting = someEvidence({ trxId: aName(), payerMsisdn: PAYER });
    const intent = anIntent({ reference: aName(), expectedSenderMsisdn: PAYER });
    await session.deliver(intentArrives(intent), smsArrives(waiting));
    const ids = { smsEventIds: [waiting.smsEventId], paymentIntentIds: [intent.id] };

    expect(await erase(ids)).toEqual({ erased: 0, openIds: [waiting.smsEventId, intent.id] });
    expect(await erase(ids, '01935001-0000-7000-8000-00000000b0b0')).toEqual({ erased: 0, openIds: [] });

    expect([await payerOf(waiting.smsEventId), await expectedOf(intent.id)]).toEqual([PAYER, PAYER]);
  });

  /** A payment by a claim, whose payer is erased. */
  async function erasedPayment() {
    const text = someEvidence({ trxId: aName(), payerMsisdn: PAYER });
    const intent = anIntent({ reference: aName() });
    await session.deliver(intentArrives(intent), smsArrives(text), claimArrives(intent.id, text.trxId));
    await erase({ smsEventIds: [text.smsEventId] });
    return text;
  }

  /** Claims the used TrxID for another intent. */
  async function claimAgain(trxId: string) {
    const intent = anIntent({ reference: aName() });
    const claim = claimArrives(intent.id, trxId);
    await session.deliver(intentArrives(intent));
    await session.deliver(claim);
    return session.claimOf(claim.claim.id);
  }

  const disputesOf = (trxId: string) => session.db.query('select id from disputes where trx_id = $1', [trxId]);
  const refused = { outcome: 'duplicate_trx_id', state: 'SETTLED' };

  it('leaves a payment that refuses further claims, texts and redeliveries of its TrxID', async () => {
    const text = await erasedPayment();
    const copy = someEvidence({ trxId: text.trxId });

    expect(await claimAgain(text.trxId)).toMatchObject(refused);
    await session.deliver(smsArrives(copy));
    await session.deliver(smsArrives(text));

    expect(await disputesOf(text.trxId)).toHaveLength(1);
    expect(await session.matchOf(copy.smsEventId)).toMatchObject({ status: 'DUPLICATE' });
    expect(await payerOf(text.smsEventId)).toBeNull();
  });

  it.each(['link', 'refunded'] as const)(
    'leaves money past its match window to a person, who may enter %s',
    async (action) => {
      const text = someEvidence({ trxId: aName(), payerMsisdn: PAYER });
      const intent = anIntent({ reference: aName() });
      await session.deliver(intentArrives(intent), smsArrives(text));
      await session.deliver({ kind: 'window', tenant: SHOP, smsEventId: text.smsEventId });
      await erase({ smsEventIds: [text.smsEventId] });

      const asked = action === 'link' ? { action, paymentIntentId: intent.id } : { action };
      await reviewDesk(session).ask(text.smsEventId, asked);

      expect(await session.matchOf(text.smsEventId)).toMatchObject({
        status: action === 'link' ? 'MANUALLY_RESOLVED' : 'REJECTED',
      });
    },
  );
});
