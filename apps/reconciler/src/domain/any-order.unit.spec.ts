import { amountFromWire } from '@pay/contracts';
import fc from 'fast-check';
import {
  after,
  anIntent,
  claimArrives,
  intentArrives,
  OTHER_WALLET,
  smsArrives,
  someEvidence,
  STRICT_TERMS,
  submittedAgain,
  TERMS,
} from '../../test/builders';
import { inMemoryMatching, type InMemoryMatching } from '../../test/in-memory-matching';
import { someScenarios, tellings } from '../../test/scenarios';
import type { Arrival } from './arrivals';

// A fixed seed, so that runs are reproducible.
fc.configureGlobal({ seed: 20261121 });

/**
 * The results that must not depend on the order; keyed by TrxID, because either of two texts of one TrxID may be the
 * first.
 */
function outcome(matching: InMemoryMatching): unknown {
  const { intents, evidence, claims } = matching.all();
  const sorted = <Row>(rows: Row[]) => rows.map((row) => JSON.stringify(row)).sort();
  return {
    intents: sorted(intents.map(({ id, status }) => [id, status])),
    evidence: sorted(
      evidence.map(({ smsEventId, trxId, state }) => {
        const { status, reason, intentId, paidInTime } = matching.match({ smsEventId });
        return [trxId, state, status, reason, intentId, paidInTime];
      }),
    ),
    claims: sorted(claims.map(({ id, outcome: published, state }) => [id, published, state])),
  };
}

function deliver(batches: readonly (readonly Arrival[])[], terms = STRICT_TERMS): InMemoryMatching {
  const matching = inMemoryMatching(terms);
  for (const batch of batches) matching.deliver(...batch);
  return matching;
}

/** Every payment has its own evidence with the exact amount; no sequence has a gap. */
function invariantsHold(matching: InMemoryMatching): void {
  const { intents, matches, evidence } = matching.all();
  const paying = matches.filter(({ status }) => status === 'MATCHED');
  const paid = intents.filter(({ status }) => status === 'PAID');
  expect(paying.map(({ intentId }) => intentId).sort()).toEqual(paid.map(({ id }) => id).sort());
  expect(evidence.filter(({ state }) => state === 'USED')).toHaveLength(paying.length);
  for (const { intentId, smsEventId, checks } of paying) {
    expect(matching.evidence(smsEventId).amount).toBe(matching.intent(intentId ?? '').amount);
    expect(Object.values(checks ?? {})).not.toContain('fail');
  }
  for (const { id, decisionSequence } of intents) {
    const published = matching.decisions.flatMap(({ intent }) => (intent?.id === id ? [intent.sequence] : []));
    expect(published).toEqual(Array.from({ length: decisionSequence }, (_, n) => n + 1));
  }
  for (const { smsEventId, smsSequence } of matches) {
    const published = matching.decisions.flatMap(({ sms: part }) => (part?.id === smsEventId ? [part.sequence] : []));
    expect(published).toEqual(Array.from({ length: smsSequence }, (_, n) => n + 1));
  }
}

describe('facts in any order, repeated and in any batches', () => {
  it('lead to the same payments, used evidence and open exceptions', () => {
    fc.assert(
      fc.property(
        someScenarios().chain((arrivals) => tellings(arrivals).map((batches) => ({ arrivals, batches }))),
        ({ arrivals, batches }) => {
          const matching = deliver(batches);

          expect(outcome(matching)).toEqual(outcome(deliver([arrivals])));
          invariantsHold(matching);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('never pay more than the evidence contains when intents and claims compete', () => {
    const few = (prefix: string) => fc.constantFrom(...['1', '2', '3'].map((n) => prefix + n));
    const amount = fc.constantFrom(amountFromWire('499'), amountFromWire('500'));
    const wallet = fc.constantFrom(OTHER_WALLET, ...anIntent().shownReceivers.map((shown) => shown.receiverAccountId));
    const intents = ['R1', 'R2', 'R3'].map((reference) => anIntent({ reference }));
    const intent = fc.tuple(fc.constantFrom(...intents), amount, fc.option(few('TRX'), { nil: undefined }));
    const arrival: fc.Arbitrary<Arrival> = fc.oneof(
      intent.map(([base, asked, expectedTrxId]) => intentArrives({ ...base, amount: asked, expectedTrxId })),
      fc
        .tuple(few('TRX'), fc.option(few('R'), { nil: undefined }), amount, wallet, fc.integer({ min: 0, max: 8 }))
        .map(([trxId, reference, paid, receiverAccountId, minute]) =>
          smsArrives(someEvidence({ trxId, reference, amount: paid, receiverAccountId, ingestedAt: after(minute) })),
        ),
      fc
        .tuple(fc.constantFrom(...intents), few('TRX'), fc.integer({ min: 0, max: 8 }))
        .map(([{ id }, trxId, minute]) => claimArrives(id, trxId, after(minute))),
      fc.constantFrom(...intents).map(({ id, tenant }) => ({ kind: 'expiry' as const, tenant, intentId: id })),
    );

    fc.assert(
      fc.property(fc.array(fc.array(arrival, { minLength: 1, maxLength: 5 }), { maxLength: 12 }), (batches) => {
        invariantsHold(deliver(batches));
      }),
      { numRuns: 500 },
    );
  });

  it('lead to the same payment and open claims of a customer who enters more TrxIDs than may be open', () => {
    const intent = anIntent();
    const sms = someEvidence({ trxId: 'TRX0' });
    const claims = fc.shuffledSubarray(
      ['TRX0', 'TRX1', 'TRX2', 'TRX3', 'TRX4', 'TRX5'].map((trxId) => claimArrives(intent.id, trxId)),
      { minLength: 6 },
    );
    const stateOf = (row: object) => ('status' in row ? row.status : 'state' in row ? row.state : undefined);
    const inBatches = fc.tuple(claims, fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 6, maxLength: 6 }));

    fc.assert(
      fc.property(inBatches, ([shuffled, sizes]) => {
        const inOrder = shuffled.map(({ claim, ...arrival }, n) => ({
          ...arrival,
          claim: { ...claim, submittedAt: after(2, 11 + n) },
        }));
        const ends = sizes.map((_, n) => sizes.slice(0, n + 1).reduce((sum, size) => sum + size));
        const batches = ends.map((end, n) => inOrder.slice(ends[n - 1] ?? 0, end));
        const stored = [[intentArrives(intent), smsArrives(sms)]];

        const result = (parts: readonly (readonly Arrival[])[]) => {
          const { intents, matches, claims } = deliver([...stored, ...parts]).all();
          return [intents, matches, claims].map((rows) => rows.map(stateOf));
        };

        expect(result(batches)).toEqual(result(inOrder.map((arrival) => [arrival])));
      }),
      { numRuns: 200 },
    );
  });

  it('lead to the same decisions when the claims of a stored text are sent, and sent again, alone or in one batch', () => {
    const intents = ['R1', 'R2', 'R3'].map((reference) => anIntent({ reference }));
    intents.push(anIntent({ reference: 'R4', amount: amountFromWire('499') }));
    const sms = someEvidence();
    const claims = intents.map(({ id }) => claimArrives(id, sms.trxId));
    const submission = fc.record({
      claim: fc.constantFrom(...claims),
      payerDigits: fc.constantFrom(undefined, '678', '001', '002', '003'),
    });
    // A claim that is submitted twice in one batch is decided once.
    const batch = fc.uniqueArray(submission, { selector: ({ claim }) => claim, minLength: 1, maxLength: 4 });

    fc.assert(
      fc.property(fc.array(batch, { maxLength: 8 }), fc.boolean(), (submissions, requirePayerDigits) => {
        let seconds = 0;
        // The last ones are submitted after the end of the intents.
        const batches = submissions.map((parts) =>
          parts.map(({ claim, payerDigits }) => submittedAgain(claim, after(2, (seconds += 11)), payerDigits)),
        );
        const stored = [[...intents.map(intentArrives), smsArrives(sms)]];
        const result = (parts: readonly (readonly Arrival[])[]) =>
          outcome(deliver([...stored, ...parts], { ...TERMS, requirePayerDigits }));

        expect(result(batches)).toEqual(result(batches.flat().map((arrival) => [arrival])));
      }),
      { numRuns: 300 },
    );
  });
});
