import { amountFromWire } from '@pay/contracts';
import { failOnLeaks } from '@pay/testing';
import { findProblems } from '../src/alerts/problem-repository';
import { anIntent, intentArrives, SANDBOX_SHOP, SHOP, smsArrives, someEvidence } from './builders';
import { aReviewer, reviewDesk } from './review-under-test';
import { aName, openSession, type SessionUnderTest } from './session-under-test';

failOnLeaks();

describe('problems of exceptions', () => {
  let session: SessionUnderTest;
  beforeAll(async () => {
    session = await openSession();
  });
  afterAll(() => session.close());

  async function anAmountThatDiffers(age: string, tenant = SHOP): Promise<string> {
    const reference = aName();
    const sms = { ...someEvidence({ reference, trxId: aName(), amount: amountFromWire('450') }), tenant };
    await session.deliver(intentArrives({ ...anIntent({ reference }), tenant }), smsArrives(sms));
    await session.db.execute('update matches set created_at = now() - $2::interval where sms_event_id = $1', [
      ...[sms.smsEventId, age],
    ]);
    return sms.smsEventId;
  }

  it('are exceptions that have been open for an hour, counted by tenant and kind, until they are closed', async () => {
    const old = await anAmountThatDiffers('3 hours');
    const older = await anAmountThatDiffers('4 hours');
    await anAmountThatDiffers('59 minutes');
    await anAmountThatDiffers('2 hours', SANDBOX_SHOP);
    const stray = someEvidence({ trxId: aName() });
    await session.deliver(smsArrives(stray));
    await session.db.execute(`update matches set created_at = now() - interval '2 hours' where sms_event_id = $1`, [
      stray.smsEventId,
    ]);
    const shown = async (tenants = [SHOP]) =>
      (await findProblems(session.db, tenants)).problems.map(({ environment, kind, subject, count }) => ({
        environment,
        kind,
        subject,
        count,
      }));
    const inLive = { environment: 'LIVE', kind: 'exceptions_waiting' };

    expect(await shown()).toEqual([
      { ...inLive, subject: 'amount_differs', count: 2 },
      { ...inLive, subject: 'no_intent', count: 1 },
    ]);
    expect(await shown([SANDBOX_SHOP])).toEqual([
      { ...inLive, environment: 'SANDBOX', subject: 'amount_differs', count: 1 },
    ]);
    const desk = reviewDesk(session);
    for (const id of [old, older]) await desk.ask(id, { action: 'refunded' }, { actor: aReviewer() });
    expect(await shown()).toEqual([{ ...inLive, subject: 'no_intent', count: 1 }]);
  });
});
