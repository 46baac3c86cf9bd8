import { failOnLeaks } from '@pay/testing';
import fc from 'fast-check';
import type { Arrival } from '../src/domain/arrivals';
import { ALL_RULES, STRICT_TERMS } from './builders';
import { aName, openSession, type SessionUnderTest } from './session-under-test';
import { inMemoryMatching } from './in-memory-matching';
import { someScenarios, tellings } from './scenarios';

// A fixed seed, so that runs are reproducible.
fc.configureGlobal({ seed: 20261121 });

let session: SessionUnderTest;
beforeAll(async () => {
  session = await openSession({ evidenceRules: ALL_RULES });
});
afterAll(() => session.close());
failOnLeaks();

const AT_ONCE = 3;

describe('facts in any order, repeated, in concurrent transactions', () => {
  it('lead to the same result in the database as in memory', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .constant(undefined)
          .map(aName)
          .chain((name) => someScenarios(name))
          .chain((arrivals) => tellings(arrivals).map((batches) => ({ arrivals, batches }))),
        async ({ arrivals, batches }) => {
          for (let n = 0; n < batches.length; n += AT_ONCE) {
            await Promise.all(batches.slice(n, n + AT_ONCE).map((batch) => session.deliver(...batch)));
          }

          expect(await onTables(arrivals)).toEqual(onPaper(arrivals));
        },
      ),
      // Shrinking would repeat the same facts on tables that already contain them.
      { numRuns: 12, endOnFailure: true },
    );
  });
});

function idsOf(arrivals: readonly Arrival[]) {
  return {
    intents: arrivals.flatMap((arrival) => (arrival.kind === 'intent' ? [arrival.intent.id] : [])),
    texts: arrivals.flatMap((arrival) => (arrival.kind === 'sms' ? [arrival.evidence.smsEventId] : [])),
    claims: arrivals.flatMap((arrival) => (arrival.kind === 'claim' ? [arrival.claim.id] : [])),
  };
}

const sorted = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort();

function onPaper(arrivals: readonly Arrival[]) {
  const matching = inMemoryMatching(STRICT_TERMS);
  matching.deliver(...arrivals);
  const { intents, evidence, claims } = matching.all();
  return {
    intents: sorted(intents.map(({ id, status, decisionSequence }) => [id, status, decisionSequence > 0])),
    evidence: sorted(
      evidence.map(({ smsEventId, trxId, state }) => {
        const { status, reason, intentId, paidInTime } = matching.match({ smsEventId });
        return [trxId, state, status, reason, intentId ?? null, paidInTime ?? null];
      }),
    ),
    claims: sorted(claims.map(({ id, outcome, state }) => [id, outcome, state])),
  };
}

async function onTables(arrivals: readonly Arrival[]) {
  const { intents, texts, claims } = idsOf(arrivals);
  const read = async (sql: string, ids: readonly string[]) =>
    sorted((await session.db.query(sql, [ids])).map((row) => Object.values(row)));
  return {
    intents: await read('select id, status, decision_sequence > 0 from intents where id = any($1::uuid[])', intents),
    evidence: await read(
      `select trx_id, state, status, reason, payment_intent_id, paid_in_time
       from evidence join matches using (sms_event_id) where sms_event_id = any($1::uuid[])`,
      texts,
    ),
    // An expected TrxID is a claim under the id of its intent.
    claims: await read('select id, outcome, state from claims where id = any($1::uuid[])', [...claims, ...intents]),
  };
}
