import { eventsOf } from '@pay/contracts';
import { failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import type { ClaimArrival } from '../src/domain/arrivals';
import type { Intent } from '../src/domain/facts';
import {
  after,
  anIntent,
  claimArrives,
  intentArrives,
  SHOP,
  smsArrives,
  someEvidence,
  submittedAgain,
} from './builders';
import { aName, openSession, type SessionUnderTest } from './session-under-test';

let session: SessionUnderTest;
beforeAll(async () => {
  session = await openSession();
});
afterAll(() => session.close());
failOnLeaks();

/** The same TrxID for the same intent, stored by checkout under a new id after it lost the row of the first. */
const withNewId = ({ claim, ...arrival }: ClaimArrival, submittedAt: Date, payerDigits?: string): ClaimArrival => ({
  ...arrival,
  claim: { ...claim, id: uuidv7(), submittedAt, payerDigits },
});

/** The published decisions of a claim. */
const answersTo = async ({ claim }: ClaimArrival) =>
  eventsOf(await session.announced(), 'claim.waiting', 'claim.settled')
    .filter(({ data }) => data.claimId === claim.id)
    .map(({ sequence, data }) => ({ sequence, outcome: data.outcome, submittedAt: data.submittedAt }));

const openClaims = (intent: Intent) =>
  session.db.query(`select id from claims where payment_intent_id = $1 and state = 'OPEN'`, [intent.id]);

describe('a claim that checkout stored again under a new id', () => {
  let intent: Intent;
  let trxId: string;
  let first: ClaimArrival;
  beforeEach(async () => {
    intent = anIntent({ reference: aName() });
    trxId = aName().slice(0, 10);
    first = claimArrives(intent.id, trxId, after(1), SHOP, { id: uuidv7() });
    await session.deliver(intentArrives(intent));
    await session.deliver(first);
  });

  it('is decided under the new id, and the former id is settled and answered', async () => {
    const second = withNewId(first, after(3));

    await session.deliver(second);
    await session.deliver(second);
    await session.deliver(first);

    expect(await openClaims(intent)).toEqual([{ id: second.claim.id }]);
    expect(await answersTo(first)).toMatchObject([{ outcome: 'waiting' }, { outcome: 'dropped', sequence: 2 }]);
    expect(await answersTo(second)).toMatchObject([{ outcome: 'waiting', submittedAt: after(3).toISOString() }]);

    const text = someEvidence({ trxId, providerTime: after(2) });
    await session.deliver(smsArrives(text));
    expect(await session.statusOf(intent.id)).toBe('PAID');
    expect((await answersTo(second)).at(-1)).toMatchObject({ outcome: 'matched' });
    expect((await answersTo(first)).at(-1)).toMatchObject({ outcome: 'dropped' });
  });

  it('keeps the later claim open when the earlier one arrives after it, and answers both', async () => {
    const earlier = withNewId(first, after(0, 30));

    await session.deliver(earlier);
    await session.deliver(earlier);

    expect(await openClaims(intent)).toEqual([{ id: first.claim.id }]);
    expect(await session.claimOf(first.claim.id)).toMatchObject({ submitted_at: after(1), resubmitted_at: null });
    expect(await answersTo(earlier)).toMatchObject([{ outcome: 'dropped' }]);
    expect(await answersTo(first)).toMatchObject([{ outcome: 'waiting' }]);
  });

  it('opens the former id again when a later submission arrives under it', async () => {
    const second = withNewId(first, after(2));
    await session.deliver(second);

    await session.deliver(submittedAgain(first, after(3)));

    expect(await openClaims(intent)).toEqual([{ id: first.claim.id }]);
    expect((await answersTo(first)).map(({ outcome }) => outcome)).toEqual(['waiting', 'dropped', 'waiting']);
    expect((await answersTo(second)).map(({ outcome }) => outcome)).toEqual(['waiting', 'dropped']);
  });

  it('keeps the submission before the end of the intent when the new id arrives after it', async () => {
    const late = withNewId(first, after(6));

    await session.deliver(late);

    expect(await session.claimOf(late.claim.id)).toMatchObject({ submitted_at: after(1), resubmitted_at: after(6) });
    await session.deliver(smsArrives(someEvidence({ trxId, providerTime: after(0), ingestedAt: after(7) })));
    expect(await session.statusOf(intent.id)).toBe('PAID');
  });

  it('keeps digits that were compared with the text', async () => {
    const guessed = anIntent({ reference: aName() });
    const competing = anIntent({ reference: aName() });
    const wrong = claimArrives(guessed.id, trxId, after(3), SHOP, { id: uuidv7(), payerDigits: '111' });
    await session.deliver(intentArrives(guessed), intentArrives(competing));
    await session.deliver(smsArrives(someEvidence({ trxId })), wrong, claimArrives(competing.id, trxId));
    const right = withNewId(wrong, after(4), '678');

    await session.deliver(right);

    expect(await session.claimOf(right.claim.id)).toMatchObject({ payer_digits: '111', state: 'OPEN' });
    expect(await session.statusOf(guessed.id)).toBe('REVIEW_REQUIRED');
  });

  it('counts once towards the open claims of its intent', async () => {
    const others = [
      claimArrives(intent.id, aName().slice(0, 10), after(2)),
      claimArrives(intent.id, aName().slice(0, 10), after(2)),
    ];
    await session.deliver(...others);

    await session.deliver(withNewId(first, after(3)), withNewId(first, after(4)));

    expect(await openClaims(intent)).toHaveLength(3);
    for (const other of others) expect(await session.claimOf(other.claim.id)).toMatchObject({ state: 'OPEN' });
  });
});
