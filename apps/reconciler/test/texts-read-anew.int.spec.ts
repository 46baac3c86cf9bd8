import { BALANCE_BREAK } from '@pay/contracts';
import { failOnLeaks } from '@pay/testing';
import type { Arrival } from '../src/domain/arrivals';
import {
  ALL_RULES,
  anIntent,
  aSignal,
  claimArrives,
  intentArrives,
  readAgain,
  signalsChange,
  smsArrives,
  someEvidence,
  unparsedArrives,
} from './builders';
import { aName, openCourt, type CourtUnderTest } from './court-under-test';

const ROUNDS = 20;

let court: CourtUnderTest;
beforeAll(async () => {
  court = await openCourt({ evidenceRules: ALL_RULES });
});
afterAll(() => court.close());
failOnLeaks();

async function atOnce(...arrivals: readonly Arrival[]): Promise<void> {
  await Promise.all(arrivals.map((arrival) => court.tell(arrival)));
}

function aDoubtfulPair() {
  const reference = aName();
  const intent = anIntent({ reference });
  return { intent, sms: someEvidence({ reference, trxId: aName(), signals: [aSignal(BALANCE_BREAK)] }) };
}

async function evidenceOf(smsEventId: string) {
  return (await court.db.query('select * from evidence where sms_event_id = $1', [smsEventId]))[0];
}

describe('on the tables, a text', () => {
  it('whose doubt is cleared pays the intent that waited for a person', async () => {
    const { intent, sms } = aDoubtfulPair();
    await court.tell(intentArrives(intent), smsArrives(sms));
    expect(await court.statusOf(intent.id)).toBe('REVIEW_REQUIRED');
    expect(await court.matchOf(sms.smsEventId)).toMatchObject({ reason: BALANCE_BREAK, doubts: [BALANCE_BREAK] });

    await court.tell(signalsChange(sms, []));

    expect(await court.statusOf(intent.id)).toBe('PAID');
    expect(await evidenceOf(sms.smsEventId)).toMatchObject({
      state: 'USED',
      signals: [],
      signals_sequence: 2,
      revision: 2,
    });
  });

  it('finds the signals that came before it', async () => {
    const { intent, sms } = aDoubtfulPair();
    await court.tell(signalsChange(sms, [], 3));
    await court.tell(signalsChange(sms, ['trx_id_date'], 2));
    await court.tell(intentArrives(intent));

    await court.tell(smsArrives(sms));

    expect(await court.statusOf(intent.id)).toBe('PAID');
  });

  it('that is understood otherwise is found under its new names and not under its old ones', async () => {
    const [old, fresh] = [anIntent({ reference: aName() }), anIntent({ reference: aName() })];
    const { referenceKey } = fresh;
    const sms = someEvidence({ trxId: aName(), receiverAccountId: undefined, referenceKey: old.referenceKey });
    const trxId = aName();
    await court.tell(smsArrives(sms));
    await court.tell(smsArrives(readAgain(sms, { trxId, referenceKey })));
    await court.tell(unparsedArrives(sms));
    await court.tell(smsArrives(readAgain(sms, { trxId, referenceKey, factsSequence: 3 })));

    await court.tell(intentArrives(old), intentArrives(fresh));

    expect(await court.matchOf(sms.smsEventId)).toMatchObject({
      ...{ payment_intent_id: fresh.id, reason: 'receiver_unknown', facts_sequence: 3, revision: 3 },
    });
    expect(await evidenceOf(sms.smsEventId)).toMatchObject({
      trx_id: trxId,
      reference_key: fresh.referenceKey,
      revision: 3,
    });
  });

  it('that turns out to be a duplicate leaves its old TrxID to whoever has it', async () => {
    const first = someEvidence({ trxId: aName() });
    const misread = someEvidence({ trxId: aName() });
    await court.tell(smsArrives(first), smsArrives(misread));
    await court.tell(smsArrives(readAgain(misread, { trxId: first.trxId })));

    const rightful = someEvidence({ trxId: misread.trxId });
    await court.tell(smsArrives(rightful));

    expect(await court.matchOf(misread.smsEventId)).toMatchObject({ status: 'DUPLICATE' });
    expect(await evidenceOf(misread.smsEventId)).toBeUndefined();
    expect(await court.matchOf(rightful.smsEventId)).toMatchObject({ status: 'PENDING' });
  });
});

describe('at the same moment, in transactions of their own', () => {
  it('a doubt that is cleared and the intent, or the claim, that it was about always meet', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { intent, sms } = aDoubtfulPair();
      const claimed = anIntent({ reference: aName() });
      const text = someEvidence({ trxId: aName(), signals: [aSignal('trx_id_date')] });
      await court.tell(smsArrives(sms), smsArrives(text), intentArrives(claimed));

      await atOnce(
        intentArrives(intent),
        signalsChange(sms, []),
        claimArrives(claimed.id, text.trxId),
        signalsChange(text, []),
      );

      expect([await court.statusOf(intent.id), await court.statusOf(claimed.id)]).toEqual(['PAID', 'PAID']);
    }
  });

  it('a new reading and the intent that it names, or was thought to name, make one payment', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [mistaken, meant] = [anIntent({ reference: aName() }), anIntent({ reference: aName() })];
      const sms = someEvidence({ trxId: aName(), referenceKey: mistaken.referenceKey });
      const { referenceKey } = meant;
      await court.tell(smsArrives(sms));

      await atOnce(intentArrives(mistaken), intentArrives(meant), smsArrives(readAgain(sms, { referenceKey })));

      const statuses = [await court.statusOf(mistaken.id), await court.statusOf(meant.id)];
      expect(statuses.toSorted()).toEqual(['PAID', 'PENDING']);
      const paid = statuses[0] === 'PAID' ? mistaken : meant;
      expect(await court.matchOf(sms.smsEventId)).toMatchObject({ status: 'MATCHED', payment_intent_id: paid.id });
      expect(await evidenceOf(sms.smsEventId)).toMatchObject({ reference_key: paid.referenceKey, state: 'USED' });
    }
  });
});
