import { randomUUID } from 'node:crypto';
import { failOnLeaks } from '@pay/testing';
import { sealDecisions } from '../src/decision-chain/seal-decisions';
import { findDecisionStatistics } from '../src/statistics/decision-statistics-repository';
import { after, anIntent, claimArrives, intentArrives, SANDBOX_SHOP, SHOP, smsArrives, someEvidence } from './builders';
import { reviewDesk } from './review-under-test';
import { aName, openSession, type SessionUnderTest } from './session-under-test';

failOnLeaks();

describe('statistics of decisions', () => {
  let session: SessionUnderTest;
  beforeAll(async () => {
    session = await openSession();
  });
  afterAll(() => session.close());
  const seal = () => sealDecisions(session.deps, new AbortController().signal);

  it('count paid intents and those that a person approved, and time only payments by reference', async () => {
    const clock = session.deps as { now: () => Date };
    const pay = async (secondsAfterSms: number, tenant = SHOP) => {
      const reference = aName();
      const sms = { ...someEvidence({ reference, trxId: aName(), ingestedAt: after(2) }), tenant };
      clock.now = () => after(2, secondsAfterSms);
      await session.deliver(intentArrives({ ...anIntent({ reference }), tenant }), smsArrives(sms));
    };
    await pay(0.25);
    await pay(0.25);
    await pay(100);
    await pay(50, SANDBOX_SHOP);
    clock.now = () => after(4);
    const trxId = aName();
    const claimed = anIntent({ reference: aName() });
    await session.deliver(smsArrives(someEvidence({ trxId })), intentArrives(claimed));
    await session.deliver(claimArrives(claimed.id, trxId));
    const reference = aName();
    const wrong = { ...someEvidence({ reference, trxId: aName() }), amount: 45_000n as never };
    await session.deliver(intentArrives(anIntent({ reference })), smsArrives(wrong));
    const amounts = { acknowledgeAmountDifference: true, expectedAmount: '500', receivedAmount: '450' } as const;
    const { refusal } = await reviewDesk(session).ask(wrong.smsEventId, { action: 'resolve', ...amounts });
    expect(refusal).toBeNull();
    expect(await findDecisionStatistics(session.db, SHOP)).toMatchObject({ payments: 0, since: null });
    await seal();

    const statistics = await findDecisionStatistics(session.db, SHOP);

    expect(statistics).toMatchObject({ payments: 5, byPeople: 1, since: expect.stringMatching(/Z$/) });
    // Payments by reference took 0.25, 0.25 and 100 seconds; the one by TrxID waited for its customer.
    expect(statistics.secondsFromSms?.median).toBeCloseTo(0.25);
    expect(statistics.secondsFromSms?.p95).toBeCloseTo(90.025);
    expect(await findDecisionStatistics(session.db, SANDBOX_SHOP)).toMatchObject({ payments: 1 });
    const nobody = { ...SHOP, merchantId: randomUUID() };
    expect(await findDecisionStatistics(session.db, nobody)).toEqual({
      since: null,
      payments: 0,
      byPeople: 0,
      secondsFromSms: null,
    });
  });
});
