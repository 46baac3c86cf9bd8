import { randomUUID } from 'node:crypto';
import { compareSequences, intentStatusSchema, matchStatusSchema } from '@pay/contracts';
import { failOnLeaks } from '@pay/testing';
import {
  mayIntentMove,
  mayMatchMove,
  mayPersonMoveMatch,
  mayReturnToReview,
  type Decider,
} from '../src/domain/lifecycle';
import { LASTING_DOUBTS } from '../src/domain/reasons';
import { SHOP } from './builders';
import { aName, openSession, type SessionUnderTest } from './session-under-test';

let session: SessionUnderTest;
beforeAll(async () => {
  session = await openSession();
});
afterAll(() => session.close({ rowsByHand: true }));
failOnLeaks();

async function intentIn(status: string): Promise<string> {
  const id = randomUUID();
  await session.db.execute(
    `insert into intents (id, merchant_id, environment, reference_key, amount, status, shown_receivers, created_at, expires_at, source_sequence)
     values ($1, $2, 'LIVE', $3, 1, $4, '[]', now(), now(), 1)`,
    [id, SHOP.merchantId, aName(), status],
  );
  return id;
}

async function succeeds(work: Promise<unknown>, constraint: string): Promise<boolean> {
  return work.then(
    () => true,
    (error: unknown) => {
      expect(error).toMatchObject({ constraint });
      return false;
    },
  );
}

describe('the triggers of the database allow the same status changes as the code', () => {
  const intents = intentStatusSchema.options;
  it.each(intents.flatMap((from) => intents.filter((to) => to !== from).map((to) => [from, to] as const)))(
    'an intent from %s to %s',
    async (from, to) => {
      for (const by of ['system', 'person'] as const satisfies Decider[]) {
        const id = await intentIn(from);
        const move = session.db.execute(
          'update intents set status = $2, decided_by = $3, decision_sequence = decision_sequence + 1 where id = $1',
          [id, to, by === 'system' ? 'system' : 'user:01935001-0000-7000-8000-00000000a001'],
        );

        expect(await succeeds(move, 'intents_legal_moves')).toBe(mayIntentMove(from, to, by));
      }
    },
  );

  const matches = matchStatusSchema.options;
  const PERSON = 'user:01935001-0000-7000-8000-00000000a001';
  const byPeople = (status: string) => status === 'MANUALLY_RESOLVED' || status === 'REJECTED';
  const pairs = matches.flatMap((from) => matches.filter((to) => to !== from).map((to) => [from, to] as const));
  /** The stored epoch and sequence of a text, and those with which the move is written. */
  const FACTS = {
    'the machine': [
      [3, 2],
      [3, 2],
    ],
    'the machine, its text re-parsed': [
      [3, 2],
      [3, 3],
    ],
    'the machine, its text re-parsed in a later epoch': [
      [3, 2],
      [4, 1],
    ],
    'the machine, its text re-parsed in an earlier epoch': [
      [3, 2],
      [2, 9],
    ],
    'the machine, its text re-parsed without epochs': [
      [null, 2],
      [null, 3],
    ],
    'the machine, its text re-parsed in the first known epoch': [
      [null, 2],
      [3, 3],
    ],
    'the machine, by an older text without an epoch': [
      [3, 2],
      [null, 1],
    ],
    'a person': [
      [3, 2],
      [3, 2],
    ],
  } as const satisfies Record<string, readonly (readonly [epoch: number | null, sequence: number])[]>;
  const whose = Object.keys(FACTS) as (keyof typeof FACTS)[];
  it.each(pairs.flatMap(([from, to]) => whose.map((by) => [from, to, by] as const)))(
    'a match from %s to %s by %s',
    async (from, to, by) => {
      const [[oldEpoch, oldSequence], [epoch, sequence]] = FACTS[by];
      const smsEventId = randomUUID();
      const intentId = await intentIn('PENDING');
      await session.db.execute(
        `insert into evidence (sms_event_id, merchant_id, environment, provider, method, trx_id, amount, provider_time, ingested_at, state)
         values ($1, $2, 'LIVE', 'BKASH', 'BKASH_SEND_MONEY', $3, 1, now(), now(), 'WAITING')`,
        [smsEventId, SHOP.merchantId, aName()],
      );
      const pays = (status: string) => (status === 'MATCHED' || status === 'MANUALLY_RESOLVED' ? intentId : null);
      await session.db.execute(
        `insert into matches (id, merchant_id, environment, sms_event_id, payment_intent_id, status, reason, sms_sequence, created_at,
           pays_intent_id, pays_sms_event_id, decided_by, resolution_note, facts_epoch, facts_sequence)
         values ($1, $2, 'LIVE', $3, $4, $5, 'test', 1, now(), $6::uuid, case when $6::uuid is null then null else $3::uuid end, $7, 'why',
           $8, $9)`,
        [
          ...[randomUUID(), SHOP.merchantId, smsEventId, intentId, from, pays(from)],
          ...[byPeople(from) ? PERSON : 'system', oldEpoch, oldSequence],
        ],
      );

      const move = session.db.execute(
        `update matches set status = $2, facts_epoch = $4, facts_sequence = $5, pays_intent_id = $3::uuid,
           pays_sms_event_id = case when $3::uuid is null then null else $1::uuid end, decided_by = $6
         where sms_event_id = $1`,
        [smsEventId, to, pays(to), epoch, sequence, by === 'a person' ? PERSON : 'system'],
      );

      const isReparsed = compareSequences({ epoch, sequence }, { epoch: oldEpoch, sequence: oldSequence }) > 0;
      const isLegal = mayMatchMove(from, to, isReparsed) || (by === 'a person' && mayPersonMoveMatch(from, to));
      expect(await succeeds(move, 'matches_legal_moves')).toBe(isLegal);
    },
  );

  it.each([...LASTING_DOUBTS, 'competing_claims'])(
    'a match with the doubt %s to MATCHED by the machine unless the doubt lasts, then only to MANUALLY_RESOLVED by a person',
    async (doubt) => {
      const smsEventId = randomUUID();
      const intentId = await intentIn('PENDING');
      await session.db.execute(
        `insert into evidence (sms_event_id, merchant_id, environment, provider, method, trx_id, amount, provider_time, ingested_at, state)
         values ($1, $2, 'LIVE', 'BKASH', 'BKASH_SEND_MONEY', $3, 1, now(), now(), 'REVIEW')`,
        [smsEventId, SHOP.merchantId, aName()],
      );
      await session.db.execute(
        `insert into matches (id, merchant_id, environment, sms_event_id, status, reason, sms_sequence, created_at, doubts)
         values ($1, $2, 'LIVE', $3, 'REVIEW_REQUIRED', 'test', 1, now(), $4)`,
        [randomUUID(), SHOP.merchantId, smsEventId, JSON.stringify(['forgery_signals', doubt])],
      );
      const pay = (status: string, by: string) =>
        session.db.execute(
          `update matches set status = $2, doubts = '[]', pays_intent_id = $3, pays_sms_event_id = $1, decided_by = $4,
             resolution_note = 'why'
           where sms_event_id = $1`,
          [smsEventId, status, intentId, by],
        );

      const isLasting = LASTING_DOUBTS.some((lasting) => lasting === doubt);
      expect(await succeeds(pay('MATCHED', 'system'), 'matches_legal_moves')).toBe(!isLasting);
      expect(await succeeds(pay('MANUALLY_RESOLVED', PERSON), 'matches_legal_moves')).toBe(isLasting);
    },
  );

  it.each(['rejected_by_person', 'refunded', 'not_ours'])(
    'a match that a person closed as %s back to review by the machine',
    async (reason) => {
      const smsEventId = randomUUID();
      await session.db.execute(
        `insert into matches (id, merchant_id, environment, sms_event_id, status, reason, sms_sequence, created_at, decided_by,
           resolution_note)
         values ($1, $2, 'LIVE', $3, 'REJECTED', $4, 1, now(), $5, 'why')`,
        [randomUUID(), SHOP.merchantId, smsEventId, reason, PERSON],
      );

      const move = session.db.execute(
        "update matches set status = 'REVIEW_REQUIRED', reason = 'test', decided_by = 'system' where sms_event_id = $1",
        [smsEventId],
      );

      expect(await succeeds(move, 'matches_legal_moves')).toBe(mayReturnToReview({ status: 'REJECTED', reason }));
    },
  );

  it('refuse to change or delete a review action', async () => {
    const id = randomUUID();
    const smsEventId = randomUUID();
    const matchId = randomUUID();
    await session.db.execute(
      `insert into matches (id, merchant_id, environment, sms_event_id, status, reason, sms_sequence, created_at)
       values ($1, $2, 'LIVE', $3, 'PENDING', 'test', 1, now())`,
      [matchId, SHOP.merchantId, smsEventId],
    );
    await session.db.execute(
      `insert into review_actions (id, match_id, action, actor_id, actor_role, note, done_at)
       values ($1, $2, 'assign', $3, 'OWNER', 'why', now())`,
      [id, matchId, randomUUID()],
    );

    const final = { constraint: 'review_actions_are_final' };
    await expect(
      session.db.execute('update review_actions set note = $2 where id = $1', [id, 'x']),
    ).rejects.toMatchObject(final);
    await expect(session.db.execute('delete from review_actions where id = $1', [id])).rejects.toMatchObject(final);
  });
});
