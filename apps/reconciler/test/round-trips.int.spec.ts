import { statement, type Statement, type Transaction } from '@pay/persistence';
import { failOnLeaks } from '@pay/testing';
import type { Arrival } from '../src/domain/arrivals';
import { decideBatch, openBatch } from '../src/matching/decide-batch';
import { anIntent, claimArrives, intentArrives, smsArrives, someEvidence } from './builders';
import { aName, openSession, type SessionUnderTest } from './session-under-test';

let session: SessionUnderTest;
beforeAll(async () => {
  session = await openSession();
});
afterAll(() => session.close());
failOnLeaks();

/** Statements that are sent without waiting for a result share a round trip. */
function counting(tx: Transaction) {
  const sent: string[] = [];
  let trips = 0;
  let isAnswered = true;
  const send = (sql: Statement | string) => {
    if (isAnswered) trips += 1;
    isAnswered = false;
    sent.push(typeof sql === 'string' ? 'unnamed' : sql.name);
  };
  const markAnswered = () => (isAnswered = true);
  const counted: Transaction = {
    query(sql, values) {
      send(sql);
      return tx.query(sql, values).finally(markAnswered) as never;
    },
    execute(sql, values) {
      send(sql);
      return tx.execute(sql, values).finally(markAnswered);
    },
    enqueue(sql, values) {
      send(sql);
      tx.enqueue(sql, values);
    },
    onCommit: (hook) => tx.onCommit(hook),
  };
  return { counted, sent, send, trips: () => trips };
}

/** As in the consumer: opened together with the inbox query. */
async function decided(...arrivals: readonly Arrival[]) {
  return session.db.transaction(async (tx) => {
    const { counted, sent, send, trips } = counting(tx);
    const inbox = counted.query(statement('inbox', 'select 1'));
    const [opened] = await Promise.all([openBatch(session.deps, counted, arrivals), inbox]);
    await decideBatch(session.deps, counted, arrivals, opened);
    send(statement('COMMIT', ''));
    return { trips: trips(), sent };
  });
}

async function aPair() {
  const reference = aName();
  const intent = anIntent({ reference });
  const sms = someEvidence({ reference, trxId: aName() });
  return { intent, sms };
}

describe('the number of database round trips', () => {
  it('is two when an SMS pays by its reference', async () => {
    const { intent, sms } = await aPair();
    await session.deliver(intentArrives(intent));

    const { trips, sent } = await decided(smsArrives(sms));

    expect(await session.statusOf(intent.id)).toBe('PAID');
    expect(trips).toBe(2);
    expect(sent).toEqual([
      ...['inbox', 'take-locks', 'lock-intents', 'lock-matches', 'lock-claims'],
      ...['update-intents', 'insert-evidence', 'insert-matches', 'insert-decisions', 'outbox-insert', 'COMMIT'],
    ]);
  });

  it('is two when an intent is new', async () => {
    const { intent } = await aPair();

    const { trips, sent } = await decided(intentArrives(intent));

    expect(trips).toBe(2);
    expect(sent).toEqual([
      ...['inbox', 'take-locks', 'lock-intents', 'lock-matches', 'lock-claims'],
      ...['insert-intents', 'COMMIT'],
    ]);
  });

  it('is two when a claim arrives before or after its SMS', async () => {
    const intents = [anIntent({ reference: aName() }), anIntent({ reference: aName() })] as const;
    const sms = someEvidence({ trxId: aName() });
    await session.deliver(...intents.map(intentArrives), smsArrives(sms));

    const early = await decided(claimArrives(intents[0].id, aName()));
    const paying = await decided(claimArrives(intents[1].id, sms.trxId));

    expect(await session.statusOf(intents[1].id)).toBe('PAID');
    expect([early.trips, paying.trips]).toEqual([2, 2]);
  });

  it('is three when an SMS pays by a claim, and when an intent arrives after its SMS', async () => {
    const claimed = anIntent({ reference: aName() });
    const sms = someEvidence({ trxId: aName() });
    const waiting = await aPair();
    await session.deliver(intentArrives(claimed), claimArrives(claimed.id, sms.trxId), smsArrives(waiting.sms));

    const byClaim = await decided(smsArrives(sms));
    const byIntent = await decided(intentArrives(waiting.intent));

    expect(await session.statusOf(claimed.id)).toBe('PAID');
    expect(await session.statusOf(waiting.intent.id)).toBe('PAID');
    expect([byClaim.trips, byIntent.trips]).toEqual([3, 3]);
  });
});

describe('a pipelined write', () => {
  it('fails the transaction when the row was changed without its lock', async () => {
    const { intent, sms } = await aPair();
    await session.deliver(intentArrives(intent));
    const arrivals = [smsArrives(sms)];

    const deciding = session.db.transaction(async (tx) => {
      const opened = await openBatch(session.deps, tx, arrivals);
      await tx.execute('update intents set decision_sequence = 7 where id = $1', [intent.id]);
      await decideBatch(session.deps, tx, arrivals, opened);
    });

    await expect(deciding).rejects.toThrow('1 intents changed under their decision');
    expect(await session.statusOf(intent.id)).toBe('PENDING');
    expect(await session.matchOf(sms.smsEventId)).toBeUndefined();
  });
});
