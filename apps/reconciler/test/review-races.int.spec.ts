import { amountFromWire, type ReviewAnswer } from '@pay/contracts';
import type { Database } from '@pay/persistence';
import { failOnLeaks } from '@pay/testing';
import fc from 'fast-check';
import { anIntent, expires, intentArrives, smsArrives, someEvidence } from './builders';
import { aName, openSession, type SessionUnderTest } from './session-under-test';
import { moneyThatDoesNotAgree } from './money-agrees';
import { aReviewer, replicaOf, reviewDesk } from './review-under-test';

// A fixed seed, so that runs are reproducible.
fc.configureGlobal({ seed: 20261121 });

const REPLICAS = 4;
let session: SessionUnderTest;
let replicas: Database[];
let desks: ReturnType<typeof reviewDesk>[];
beforeAll(async () => {
  session = await openSession({ poolSize: 8 });
  replicas = await Promise.all(Array.from({ length: REPLICAS }, () => replicaOf(session)));
  desks = replicas.map((db) => reviewDesk(session, db));
});
afterAll(async () => {
  await Promise.all(replicas.map((db) => db.close()));
  await session.close();
});
failOnLeaks();

type Desk = ReturnType<typeof reviewDesk>;
const deskOf = (n: number): Desk => desks[n % REPLICAS] ?? reviewDesk(session);
const of450 = { amount: amountFromWire('450') };
const ACKNOWLEDGED = { acknowledgeAmountDifference: true, expectedAmount: '500', receivedAmount: '450' } as const;
const outcomes = (answers: readonly ReviewAnswer[]) => answers.map(({ refusal }) => refusal?.code ?? 'done').sort();

async function doubtful() {
  const reference = aName();
  const intent = anIntent({ reference });
  const sms = someEvidence({ reference, trxId: aName(), ...of450 });
  await session.deliver(intentArrives(intent), smsArrives(sms));
  return { intent, sms };
}

describe('four reconcilers on one database', () => {
  it('64 reviewers of one exception: one decides, 63 get the name of that reviewer', async () => {
    const { intent, sms } = await doubtful();
    const ways = [
      { action: 'resolve', ...ACKNOWLEDGED },
      { action: 'reject' },
      { action: 'refunded' },
      { action: 'not-ours' },
    ] as const;
    const people = Array.from({ length: 64 }, aReviewer);

    const answers = await Promise.all(
      people.map((actor, n) =>
        deskOf(n).ask(sms.smsEventId, ways[Math.floor(n / REPLICAS) % ways.length] ?? ways[0], { actor }),
      ),
    );

    expect(outcomes(answers)).toEqual([...Array.from({ length: 63 }, () => 'EXCEPTION_DECIDED'), 'done']);
    const winner = people[answers.findIndex(({ refusal }) => refusal === null)];
    for (const { refusal, item } of answers) {
      expect(item.resolvedBy).toBe(winner?.userId);
      if (refusal !== null) expect(refusal.message).toContain(winner?.userId);
    }
    const published = (await session.announced()).filter(
      ({ data }) => 'intent' in data && data.intent?.id === intent.id,
    );
    expect(published.length).toBeLessThanOrEqual(2);
  });

  it('two texts linked to one intent: one pays it; one text linked to two intents: it pays one', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [one, other] = [anIntent({ reference: aName() }), anIntent({ reference: aName() })];
      const [first, second] = [someEvidence({ trxId: aName() }), someEvidence({ trxId: aName() })];
      await session.deliver(...[one, other].map(intentArrives), ...[first, second].map(smsArrives));
      const link = (n: number, { smsEventId }: typeof first, { id }: typeof one) =>
        deskOf(n).ask(smsEventId, { action: 'link', paymentIntentId: id });

      const answers = await Promise.all([link(0, first, one), link(1, second, one), link(2, first, other)]);

      const paid = await Promise.all([one, other].map(({ id }) => session.statusOf(id)));
      expect(paid.filter((status) => status === 'PAID')).toHaveLength(
        outcomes(answers).filter((each) => each === 'done').length,
      );
      expect(paid).toContain('PAID');
    }
  });

  it('a reviewer links a text while another text pays: the intent is paid once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const reference = aName();
      const intent = anIntent({ reference });
      const stray = someEvidence({ trxId: aName() });
      const exact = someEvidence({ reference, trxId: aName() });
      await session.deliver(intentArrives(intent), smsArrives(stray));

      const [answer] = await Promise.all([
        deskOf(round).ask(stray.smsEventId, { action: 'link', paymentIntentId: intent.id }),
        session.deliver(smsArrives(exact)),
        ...(round % 2 === 0 ? [session.deliver(expires(intent))] : []),
      ]);

      expect(['done', 'INTENT_NOT_PENDING']).toContain(outcomes([answer])[0]);
      expect(await session.statusOf(intent.id)).toBe('PAID');
    }
  });
});

describe('concurrent review actions in any order', () => {
  const step = fc.record({
    action: fc.constantFrom('resolve', 'link', 'reject', 'refunded', 'not-ours', 'reopen'),
    text: fc.nat(5),
    intent: fc.nat(3),
    desk: fc.nat(REPLICAS - 1),
  });

  it('leave PAID intents and used evidence in agreement, with the accepted amounts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 24 }), async (steps) => {
        const intents = Array.from({ length: 4 }, () => anIntent({ reference: aName() }));
        const texts = Array.from({ length: 6 }, (_, n) => ({
          ...someEvidence({ trxId: aName(), ...(n % 2 === 0 ? of450 : {}) }),
          referenceKey: intents[n]?.referenceKey,
        }));
        await session.deliver(...intents.map(intentArrives), ...texts.map(smsArrives));

        await Promise.all(
          steps.map(async ({ action, text, intent, desk }) => {
            const acknowledged = { ...ACKNOWLEDGED, acknowledgeReferenceMismatch: true } as const;
            const asked =
              action === 'link'
                ? { action, paymentIntentId: intents[intent]?.id ?? '', ...acknowledged }
                : action === 'resolve'
                  ? { action, ...acknowledged }
                  : { action };
            await deskOf(desk).ask(texts[text]?.smsEventId ?? '', asked);
          }),
        );

        expect(await moneyThatDoesNotAgree(session.db)).toEqual([]);
      }),
      { numRuns: 12 },
    );
  });
});
