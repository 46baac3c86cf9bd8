import { randomUUID } from 'node:crypto';
import type { Tenant, Undecided } from '@pay/contracts';
import { failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import type { Evidence, Intent } from '../src/domain/facts';
import { closeMatchWindows } from '../src/expiry/close-match-windows';
import { moveMatchWindows } from '../src/expiry/move-match-windows';
import { anIntent, HOUR, intentArrives, MINUTE, SANDBOX_SHOP, SHOP, smsArrives, someEvidence } from './builders';
import { aName, openSession, type SessionUnderTest } from './session-under-test';

const OTHER_SHOP: Tenant = { merchantId: randomUUID(), environment: 'SANDBOX' };
const never = new AbortController().signal;

let session: SessionUnderTest;
beforeAll(async () => {
  session = await openSession({ merchants: [SHOP.merchantId, OTHER_SHOP.merchantId] });
});
afterAll(() => session.close());
failOnLeaks();

const ago = (ms: number) => new Date(Date.now() - ms);
const aWaitingText = (given: Parameters<typeof someEvidence>[0] = {}): Evidence =>
  someEvidence({
    tenant: SANDBOX_SHOP,
    trxId: aName(),
    reference: aName(),
    ingestedAt: ago(MINUTE),
    providerTime: ago(MINUTE),
    ...given,
  });
const anOpenIntent = (given: Parameters<typeof anIntent>[0] = {}): Intent =>
  anIntent({
    tenant: SANDBOX_SHOP,
    reference: aName(),
    createdAt: ago(MINUTE),
    expiresAt: ago(-4 * MINUTE),
    ...given,
  });

function move(
  milliseconds: number,
  { tenant = SANDBOX_SHOP, stepId = uuidv7(), undecided = [] as Undecided['undecided'] | 'no answer' } = {},
) {
  const deps = {
    ...session.deps,
    askUndecided: () => Promise.resolve(undecided === 'no answer' ? undefined : undecided),
  };
  return moveMatchWindows(deps, tenant, { stepId, milliseconds });
}
const statusOf = async (text: Evidence) => (await session.matchOf(text.smsEventId))?.['status'];
const expiryOf = async ({ id }: Intent): Promise<Date | undefined> =>
  (await session.db.query<{ expires_at: Date }>('select expires_at from intents where id = $1', [id]))[0]?.expires_at;

describe('match windows under the test clock of a SANDBOX tenant', () => {
  it('close when the step is longer than the time that is left', async () => {
    const text = aWaitingText();
    await session.deliver(smsArrives(text));

    await move(71 * HOUR);
    expect(await statusOf(text)).toBe('PENDING');

    await move(HOUR);
    expect(await statusOf(text)).toBe('EXPIRED');
    expect(await session.matchOf(text.smsEventId)).toMatchObject({ reason: 'match_window_over' });
  });

  it('move once per step', async () => {
    const text = aWaitingText();
    await session.deliver(smsArrives(text));
    const stepId = uuidv7();

    for (let repeat = 0; repeat < 3; repeat += 1) expect(await move(40 * HOUR, { stepId })).toEqual({ isDone: true });

    expect(await statusOf(text)).toBe('PENDING');
  });

  it('close later by the usual sweep when a step has shortened them', async () => {
    const text = aWaitingText();
    await session.deliver(smsArrives(text));
    await move(HOUR);
    await session.db.execute(`update evidence set waits_until = now() - interval '1 second' where sms_event_id = $1`, [
      text.smsEventId,
    ]);

    await closeMatchWindows(session.deps, never);

    expect(await statusOf(text)).toBe('EXPIRED');
  });

  it('do not move for another merchant, nor in LIVE', async () => {
    const [mine, others, live] = [aWaitingText(), aWaitingText({ tenant: OTHER_SHOP }), aWaitingText({ tenant: SHOP })];
    await session.deliver(smsArrives(mine), smsArrives(others), smsArrives(live));

    await move(73 * HOUR);

    expect(await statusOf(mine)).toBe('EXPIRED');
    expect(await statusOf(others)).toBe('PENDING');
    expect(await statusOf(live)).toBe('PENDING');
    await expect(move(73 * HOUR, { tenant: SHOP })).rejects.toThrow(/test_clock_steps_environment_check/);
    expect(await statusOf(live)).toBe('PENDING');
  });

  it('do not move before all accepted items are decided', async () => {
    const text = aWaitingText();
    await session.deliver(smsArrives(text));
    const stepId = uuidv7();
    const oldest = ago(1_000).toISOString();

    expect(await move(73 * HOUR, { stepId, undecided: [{ ...SANDBOX_SHOP, oldest }] })).toEqual({ isDone: false });
    expect(await move(73 * HOUR, { stepId, undecided: 'no answer' })).toEqual({ isDone: false });
    expect(await statusOf(text)).toBe('PENDING');

    const later = ago(-MINUTE).toISOString();
    const ofOthers = [
      { ...OTHER_SHOP, oldest },
      { ...SHOP, oldest },
      { ...SANDBOX_SHOP, oldest: later },
    ];
    expect(await move(73 * HOUR, { stepId, undecided: ofOthers })).toEqual({ isDone: true });
    expect(await statusOf(text)).toBe('EXPIRED');
  });

  it('of LIVE evidence are refused by the database', async () => {
    const text = aWaitingText({ tenant: SHOP });
    await session.deliver(smsArrives(text));

    await expect(
      session.db.execute('update evidence set waits_until = now() where sms_event_id = $1', [text.smsEventId]),
    ).rejects.toThrow(/evidence_waits_until_in_sandbox/);
  });
});

describe('an expiry that a test clock has moved', () => {
  it('replaces the known one, and decides whether money is late', async () => {
    const reference = aName();
    const intent = anOpenIntent({ reference });
    await session.deliver(intentArrives(intent));
    const moved = { ...intent, expiresAt: ago(5_000), sourceSequence: 2 };

    await session.deliver(intentArrives(moved));

    expect(await expiryOf(intent)).toEqual(moved.expiresAt);
    const late = aWaitingText({ reference, ingestedAt: new Date(), providerTime: new Date() });
    await session.deliver(smsArrives(late));
    expect(await session.matchOf(late.smsEventId)).toMatchObject({ status: 'REVIEW_REQUIRED', reason: 'late_payment' });
    expect(await session.statusOf(intent.id)).toBe('PENDING');
  });

  it('counts although it arrives before the event of the creation', async () => {
    const intent = anOpenIntent();
    const moved = { ...intent, expiresAt: ago(5_000), sourceSequence: 2 };

    await session.deliver(intentArrives(moved));
    await session.deliver(intentArrives(intent));

    expect(await expiryOf(intent)).toEqual(moved.expiresAt);
  });

  it('keeps money in time that arrived before the clock moved', async () => {
    const reference = aName();
    const intent = anOpenIntent({ reference });
    await session.deliver(intentArrives(intent));
    const inTime = aWaitingText({ reference, ingestedAt: ago(10_000), providerTime: ago(10_000) });

    await session.deliver(intentArrives({ ...intent, expiresAt: ago(5_000), sourceSequence: 2 }));
    await session.deliver(smsArrives(inTime));

    expect(await session.statusOf(intent.id)).toBe('PAID');
  });

  it.each([
    ['of a LIVE intent to an earlier time', SHOP, '-'],
    ['of a LIVE intent to a later time', SHOP, '+'],
    ['of a SANDBOX intent to a later time', SANDBOX_SHOP, '+'],
  ])('%s is refused by the database', async (_, tenant, direction) => {
    const intent = anOpenIntent({ tenant });
    await session.deliver(intentArrives(intent));

    await expect(
      session.db.execute(`update intents set expires_at = expires_at ${direction} interval '1 minute' where id = $1`, [
        intent.id,
      ]),
    ).rejects.toThrow(/moves in SANDBOX only/);
  });

  it('of a LIVE intent is unchanged when its owner publishes a later one', async () => {
    const intent = anOpenIntent({ tenant: SHOP });
    await session.deliver(intentArrives(intent));

    await session.deliver(intentArrives({ ...intent, expiresAt: ago(-HOUR), sourceSequence: 2 }));

    expect(await expiryOf(intent)).toEqual(intent.expiresAt);
  });
});
