import { BALANCE_BREAK } from '@pay/contracts';
import { failOnLeaks } from '@pay/testing';
import type { Arrival } from '../src/domain/arrivals';
import {
  ALL_RULES,
  anIntent,
  aSignal,
  claimArrives,
  intentArrives,
  NAGAD_WALLET,
  OTHER_WALLET,
  readAgain,
  signalsChange,
  smsArrives,
  someEvidence,
  unparsedArrives,
} from './builders';
import { aName, openSession, type SessionUnderTest } from './session-under-test';

const ROUNDS = 20;

let session: SessionUnderTest;
beforeAll(async () => {
  session = await openSession({ evidenceRules: ALL_RULES });
});
afterAll(() => session.close());
failOnLeaks();

async function atOnce(...arrivals: readonly Arrival[]): Promise<void> {
  await Promise.all(arrivals.map((arrival) => session.deliver(arrival)));
}

function aDoubtfulPair() {
  const reference = aName();
  const intent = anIntent({ reference });
  return { intent, sms: someEvidence({ reference, trxId: aName(), signals: [aSignal(BALANCE_BREAK)] }) };
}

async function evidenceOf(smsEventId: string) {
  return (await session.db.query('select * from evidence where sms_event_id = $1', [smsEventId]))[0];
}

describe('a text in the database', () => {
  it('pays the intent that waited for a person when its doubt is removed', async () => {
    const { intent, sms } = aDoubtfulPair();
    await session.deliver(intentArrives(intent), smsArrives(sms));
    expect(await session.statusOf(intent.id)).toBe('REVIEW_REQUIRED');
    expect(await session.matchOf(sms.smsEventId)).toMatchObject({ reason: BALANCE_BREAK, doubts: [BALANCE_BREAK] });

    await session.deliver(signalsChange(sms, []));

    expect(await session.statusOf(intent.id)).toBe('PAID');
    expect(await evidenceOf(sms.smsEventId)).toMatchObject({
      state: 'USED',
      signals: [],
      signals_sequence: 2,
      revision: 2,
    });
  });

  it('has the signals that arrived before it', async () => {
    const { intent, sms } = aDoubtfulPair();
    await session.deliver(signalsChange(sms, [], 3));
    await session.deliver(signalsChange(sms, ['trx_id_date'], 2));
    await session.deliver(intentArrives(intent));

    await session.deliver(smsArrives(sms));

    expect(await session.statusOf(intent.id)).toBe('PAID');
  });

  it('is found by its new TrxID and reference after it was re-parsed, and not by the old ones', async () => {
    const [old, fresh] = [anIntent({ reference: aName() }), anIntent({ reference: aName() })];
    const { referenceKey } = fresh;
    const sms = someEvidence({ trxId: aName(), receiverAccountId: undefined, referenceKey: old.referenceKey });
    const trxId = aName();
    await session.deliver(smsArrives(sms));
    await session.deliver(smsArrives(readAgain(sms, { trxId, referenceKey })));
    await session.deliver(unparsedArrives(sms));
    await session.deliver(smsArrives(readAgain(sms, { trxId, referenceKey, factsSequence: 3 })));

    await session.deliver(intentArrives(old), intentArrives(fresh));

    expect(await session.matchOf(sms.smsEventId)).toMatchObject({
      payment_intent_id: fresh.id,
      reason: 'receiver_unknown',
      facts_sequence: 3,
      revision: 3,
    });
    expect(await evidenceOf(sms.smsEventId)).toMatchObject({
      trx_id: trxId,
      reference_key: fresh.referenceKey,
      revision: 3,
    });
  });

  it('is decided again with its new receiver when it was re-parsed in a later epoch with a lower or equal sequence', async () => {
    for (const factsSequence of [1, 5]) {
      const intent = anIntent({ reference: aName() });
      const sms = someEvidence({ trxId: aName(), referenceKey: intent.referenceKey, factsSequence: 5, factsEpoch: 1 });
      const elsewhere = { ...sms, receiverAccountId: OTHER_WALLET };
      await session.deliver(intentArrives(intent), smsArrives(elsewhere));
      expect(await session.matchOf(sms.smsEventId)).toMatchObject({ reason: 'wrong_receiver' });
      const unnamed = { receiverAccountId: NAGAD_WALLET, referenceKey: undefined, factsSequence, factsEpoch: 2 };

      await session.deliver(smsArrives({ ...sms, ...unnamed }));

      expect(await session.matchOf(sms.smsEventId)).toMatchObject({
        status: 'PENDING',
        receiver_account_id: NAGAD_WALLET,
        facts_sequence: factsSequence,
        facts_epoch: 2,
      });
    }
  });

  it('that becomes a duplicate after it was re-parsed invalidates its old TrxID', async () => {
    const first = someEvidence({ trxId: aName() });
    const misread = someEvidence({ trxId: aName() });
    await session.deliver(smsArrives(first), smsArrives(misread));
    await session.deliver(smsArrives(readAgain(misread, { trxId: first.trxId })));

    const rightful = someEvidence({ trxId: misread.trxId });
    await session.deliver(smsArrives(rightful));

    expect(await session.matchOf(misread.smsEventId)).toMatchObject({ status: 'DUPLICATE' });
    expect(await evidenceOf(misread.smsEventId)).toBeUndefined();
    expect(await session.matchOf(rightful.smsEventId)).toMatchObject({ status: 'PENDING' });
  });
});

describe('at the same moment in separate transactions', () => {
  it('a removed doubt and the intent or claim that it was about always match', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { intent, sms } = aDoubtfulPair();
      const claimed = anIntent({ reference: aName() });
      const text = someEvidence({ trxId: aName(), signals: [aSignal('trx_id_date')] });
      await session.deliver(smsArrives(sms), smsArrives(text), intentArrives(claimed));

      await atOnce(
        intentArrives(intent),
        signalsChange(sms, []),
        claimArrives(claimed.id, text.trxId),
        signalsChange(text, []),
      );

      expect([await session.statusOf(intent.id), await session.statusOf(claimed.id)]).toEqual(['PAID', 'PAID']);
    }
  });

  it('a re-parsed text and its new or former intent lead to one payment', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [mistaken, meant] = [anIntent({ reference: aName() }), anIntent({ reference: aName() })];
      const sms = someEvidence({ trxId: aName(), referenceKey: mistaken.referenceKey });
      const { referenceKey } = meant;
      await session.deliver(smsArrives(sms));

      await atOnce(intentArrives(mistaken), intentArrives(meant), smsArrives(readAgain(sms, { referenceKey })));

      const statuses = [await session.statusOf(mistaken.id), await session.statusOf(meant.id)];
      expect(statuses.toSorted()).toEqual(['PAID', 'PENDING']);
      const paid = statuses[0] === 'PAID' ? mistaken : meant;
      expect(await session.matchOf(sms.smsEventId)).toMatchObject({ status: 'MATCHED', payment_intent_id: paid.id });
      expect(await evidenceOf(sms.smsEventId)).toMatchObject({ reference_key: paid.referenceKey, state: 'USED' });
    }
  });
});
