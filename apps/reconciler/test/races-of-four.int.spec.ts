import { type DecideClaimResponse, BusinessError } from '@pay/contracts';
import { groupCommit, retryOnConflict, type Database } from '@pay/persistence';
import { failOnLeaks } from '@pay/testing';
import type { Arrival, ClaimArrival } from '../src/domain/arrivals';
import type { Evidence, Intent } from '../src/domain/facts';
import { expireIntents } from '../src/expiry/expire-intents';
import { decideBatch } from '../src/matching/decide-batch';
import { decideClaims, type ClaimSubmission } from '../src/intake/decide-claims';
import { anIntent, claimArrives, intentArrives, MINUTE, smsArrives, someEvidence } from './builders';
import { aName, openSession, type SessionUnderTest } from './session-under-test';
import { replicaOf } from './review-under-test';

/** By `npm run histories -- --races 200`. */
const ROUNDS = Number(process.env['RACE_ROUNDS'] ?? 4);
const REPLICAS = 4;
const CLIENTS = 64;
const never = new AbortController().signal;

jest.setTimeout(90_000 + ROUNDS * 5_000);
let session: SessionUnderTest;
let replicas: Replica[];
beforeAll(async () => {
  session = await openSession({ poolSize: 4 });
  replicas = await Promise.all(Array.from({ length: REPLICAS }, async () => replica(await replicaOf(session))));
});
afterAll(async () => {
  await Promise.all(replicas.map(({ db }) => db.close()));
  await session.close();
});
failOnLeaks();

/** A replica with its own connections and claim batches. */
interface Replica {
  readonly db: Database;
  deliver(...arrivals: readonly Arrival[]): Promise<unknown>;
  ask(claim: ClaimArrival): Promise<DecideClaimResponse | undefined>;
  expire(): Promise<void>;
}

function replica(db: Database): Replica {
  const deps = { ...session.deps, db };
  const submit = groupCommit<ClaimSubmission, DecideClaimResponse | undefined>({
    db,
    name: 'decide-claims',
    run: (tx, submissions) => decideClaims(deps, tx, submissions),
  });
  const expiring = {
    ...deps,
    askUndecided: () => Promise.resolve([]),
    fetchIntent: () => Promise.reject(new BusinessError('NOT_FOUND')),
    expiryGraceMs: 0,
    expiryBatch: 100,
    expiriesPerSecond: 10_000,
  };
  return {
    db,
    deliver: (...arrivals) => retryOnConflict(db, (tx) => decideBatch(deps, tx, arrivals)),
    ask: (claim) => submit({ claim, with: [] }),
    expire: () => expireIntents(expiring, never),
  };
}

const on = (n: number): Replica => {
  const found = replicas[n % REPLICAS];
  if (found === undefined) throw new Error('there is no such replica');
  return found;
};

/** Calls `work` for each round; in every other round the second participant starts first. */
async function everyRound(race: (round: number, inOrder: <T>(racers: readonly T[]) => T[]) => Promise<void>) {
  for (let round = 0; round < ROUNDS; round += 1) {
    await race(round, (racers) => (round % 2 === 0 ? [...racers] : racers.toReversed()));
  }
}

const statusesOf = (intents: readonly Intent[]) => Promise.all(intents.map(({ id }) => session.statusOf(id)));
const matchesOf = (texts: readonly Evidence[]) =>
  Promise.all(texts.map(async ({ smsEventId }) => session.matchOf(smsEventId)));
const sortedBy = (rows: readonly unknown[]) => rows.map(String).sort();

/** The total number of published decisions. */
async function timesPublished(intents: readonly Intent[]): Promise<number> {
  const [row] = await session.db.query<{ count: number }>(
    `select count(*)::integer as count from outbox
     where type like 'match.%' and body::jsonb #>> '{data,intent,id}' = any($1::text[])`,
    [intents.map(({ id }) => id)],
  );
  return row?.count ?? 0;
}

describe(`four replicas, ${ROUNDS} rounds each`, () => {
  it('64 customers claim one TrxID for 64 intents: one is matched and 63 get duplicate_trx_id, or all go to review', async () => {
    await everyRound(async (round) => {
      const sms = someEvidence({ trxId: aName() });
      const intents = Array.from({ length: CLIENTS }, () => anIntent({ reference: aName() }));
      const claims = intents.map(({ id }) => claimArrives(id, sms.trxId));
      const isThere = round % 2 === 0;
      await on(0).deliver(...intents.map(intentArrives), ...(isThere ? [smsArrives(sms)] : []));

      const asked = claims.map((claim, n) => on(n).ask(claim));
      const [first] = await Promise.all([Promise.all(asked), isThere ? undefined : on(round).deliver(smsArrives(sms))]);
      const again = await Promise.all(claims.map((claim, n) => on(n + 1).ask(claim)));

      const oneWinner = [...Array.from({ length: CLIENTS - 1 }, () => 'duplicate_trx_id'), 'matched'];
      if (isThere) expect(sortedBy(first.map((answer) => answer?.outcome))).toEqual(oneWinner);
      const statuses = await statusesOf(intents);
      if (!statuses.includes('PAID')) {
        // Case: the text was decided while several claims were open.
        expect(isThere).toBe(false);
        expect(new Set(again.map((answer) => answer?.outcome))).toEqual(new Set(['not_found']));
        expect(new Set(statuses)).toEqual(new Set(['REVIEW_REQUIRED']));
        return;
      }
      expect(sortedBy(again.map((answer) => answer?.outcome))).toEqual(oneWinner);
      // A losing claimant does not see the text.
      expect(new Set(again.map((answer) => answer?.smsEventId))).toEqual(new Set([null, sms.smsEventId]));
      expect(statuses.filter((status) => status === 'PAID')).toHaveLength(1);
      expect(await timesPublished(intents)).toBe(1);
    });
  });

  it('a payment and the end of its intent: PAID, or EXPIRED with an exception that was paid in time', async () => {
    const seen: unknown[] = [];
    await everyRound(async (round, inOrder) => {
      const ends = Date.now() - 1;
      const reference = aName();
      const [createdAt, expiresAt] = [new Date(ends - 5 * MINUTE), new Date(ends)];
      const intent = anIntent({ reference, createdAt, expiresAt });
      const sms = someEvidence({ reference, trxId: aName(), providerTime: createdAt, ingestedAt: expiresAt });
      await on(0).deliver(intentArrives(intent));

      const racers = [
        () => on(round).deliver(smsArrives(sms)),
        () => on(round + 1).expire(),
        () => on(round + 2).expire(),
      ];
      await Promise.all(inOrder(racers).map((start) => start()));

      const [status] = await statusesOf([intent]);
      const [match] = await matchesOf([sms]);
      expect([status, match?.['status'], match?.['reason'], match?.['paid_in_time']]).toEqual(
        status === 'PAID'
          ? ['PAID', 'MATCHED', 'reference_match', null]
          : ['EXPIRED', 'REVIEW_REQUIRED', 'late_payment', true],
      );
      expect(await timesPublished([intent])).toBe(1);
      seen.push(status);
    });
    expect(seen).toHaveLength(ROUNDS);
  });

  it('two texts for one intent: one pays it, the other opens an exception', async () => {
    await everyRound(async (round, inOrder) => {
      const reference = aName();
      const intent = anIntent({ reference });
      const texts = [someEvidence({ reference, trxId: aName() }), someEvidence({ reference, trxId: aName() })];
      // Stored earlier or at the same moment.
      const arrivals = [...texts.map(smsArrives), ...(round % 4 < 2 ? [intentArrives(intent)] : [])];
      if (round % 4 >= 2) await on(0).deliver(intentArrives(intent));

      await Promise.all(inOrder(arrivals).map((arrival, n) => on(round + n).deliver(arrival)));

      expect(await statusesOf([intent])).toEqual(['PAID']);
      const matches = await matchesOf(texts);
      const both = matches.map((match) => `${String(match?.['status'])} ${String(match?.['reason'])}`);
      expect(both.sort()).toEqual(['MATCHED reference_match', 'REVIEW_REQUIRED intent_already_paid']);
      expect(await timesPublished([intent])).toBe(1);
    });
  });

  it('one text for two intents: it pays one and the other customer gets duplicate_trx_id, or both go to review', async () => {
    await everyRound(async (round, inOrder) => {
      const [named, claimed] = [anIntent({ reference: aName() }), anIntent({ reference: aName() })];
      const isNamed = round % 4 < 2;
      const sms = { ...someEvidence({ trxId: aName() }), referenceKey: isNamed ? named.referenceKey : undefined };
      const claim = claimArrives(claimed.id, sms.trxId);
      const other = claimArrives(named.id, sms.trxId);
      await on(0).deliver(...[claimed, ...(isNamed ? [] : [named])].map(intentArrives));

      const racers = [
        () => on(round).deliver(smsArrives(sms)),
        () => on(round + 1).ask(claim),
        // It names an intent that arrives at the same moment, or both customers claim it.
        () => (isNamed ? on(round + 2).deliver(intentArrives(named)) : on(round + 2).ask(other)),
      ];
      await Promise.all(inOrder(racers).map((start) => start()));

      const statuses = await statusesOf([named, claimed]);
      if (!isNamed && !statuses.includes('PAID')) {
        // Case: both claims were open when the text was decided.
        expect(statuses).toEqual(['REVIEW_REQUIRED', 'REVIEW_REQUIRED']);
        return;
      }
      expect([...statuses].sort()).toEqual(['PAID', 'PENDING']);
      expect(await timesPublished([named, claimed])).toBe(1);
      const answers = await Promise.all([on(round).ask(other), on(round + 3).ask(claim)]);
      expect(answers.map((answer) => answer?.outcome)).toEqual(
        statuses.map((status) => (status === 'PAID' ? 'matched' : 'duplicate_trx_id')),
      );
    });
  });
});
