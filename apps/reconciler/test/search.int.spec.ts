import { randomUUID } from 'node:crypto';
import { failOnLeaks } from '@pay/testing';
import { closeMatchWindows } from '../src/expiry/close-match-windows';
import { search } from '../src/search/search';
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
} from './builders';
import { aName, openSession, type SessionUnderTest } from './session-under-test';

failOnLeaks();

describe('the search', () => {
  let session: SessionUnderTest;
  beforeAll(async () => {
    session = await openSession();
  });
  afterAll(() => session.close());
  const find = (text: string, tenant = SHOP) => search(session.db, tenant, text);

  it('finds an intent by the TrxID, the paying number and the SMS id of its payment, of its tenant only', async () => {
    const reference = aName();
    const intent = anIntent({ reference });
    const sms = someEvidence({ reference, trxId: aName(), payerMsisdn: '01911222333' });
    await session.deliver(intentArrives(intent), smsArrives(sms));

    const texts = { trxId: sms.trxId.toLowerCase(), payer: '+880 1911-222333', smsId: sms.smsEventId };
    for (const [foundBy, text] of Object.entries(texts)) {
      expect(await find(text)).toEqual({ intents: [{ id: intent.id, foundBy }], exceptions: [] });
      expect(await find(text, SANDBOX_SHOP)).toEqual({ intents: [], exceptions: [] });
      expect(await find(text, { ...SHOP, merchantId: randomUUID() })).toEqual({ intents: [], exceptions: [] });
    }
    const match = await session.matchOf(sms.smsEventId);
    expect((await find(String(match?.['id']))).intents).toEqual([{ id: intent.id, foundBy: 'id' }]);
  });

  it('finds an intent by a TrxID that its customer entered before the SMS arrives', async () => {
    const intent = anIntent({ reference: aName() });
    const trxId = aName();
    await session.deliver(intentArrives(intent));
    await session.deliver(claimArrives(intent.id, trxId, after(3)));

    expect((await find(trxId)).intents).toEqual([{ id: intent.id, foundBy: 'trxId' }]);
  });

  it('finds it also after the match window, when its claim is settled', async () => {
    const intent = anIntent({ reference: aName() });
    const trxId = aName();
    await session.deliver(intentArrives(intent), claimArrives(intent.id, trxId, after(3)));
    await session.deliver(expires(intent));
    await closeMatchWindows(session.deps, new AbortController().signal);
    expect(await session.db.query('select state from claims where trx_id = $1', [trxId])).toEqual([
      { state: 'SETTLED' },
    ]);

    expect((await find(trxId)).intents).toEqual([{ id: intent.id, foundBy: 'trxId' }]);
  });

  it('finds unpaid intents by their amount in any way of writing it', async () => {
    const intent = { ...anIntent({ reference: aName() }), amount: 123_456_789n as never };
    await session.deliver(intentArrives(intent));

    for (const text of ['1234567.89', '12,34,567.89', '১২৩৪৫৬৭.৮৯'])
      expect((await find(text)).intents).toEqual([{ id: intent.id, foundBy: 'amount' }]);
    expect((await find('1234567.9')).intents).toEqual([]);
  });

  it('finds money without an intent as an exception', async () => {
    const sms = someEvidence({ trxId: aName(), payerMsisdn: '01911222444' });
    await session.deliver(smsArrives(sms));

    expect(await find(sms.trxId)).toMatchObject({
      intents: [],
      exceptions: [{ foundBy: 'trxId', trxId: sms.trxId, receivedAmount: '500' }],
    });
  });

  it('reads an index for every field', async () => {
    await session.db.transaction(async (tx) => {
      await tx.execute('set local enable_seqscan = off');
      const plans = await tx.query<{ 'QUERY PLAN': string }>(
        `explain select 1 from evidence where merchant_id = '${SHOP.merchantId}' and environment = 'LIVE'
           and payer_msisdn = '01911222333' and state in ('USED', 'REVIEW', 'CLOSED') order by ingested_at desc limit 20`,
      );
      expect(plans.map((row) => row['QUERY PLAN']).join('\n')).toContain('evidence_of_payer');
    });
  });
});
