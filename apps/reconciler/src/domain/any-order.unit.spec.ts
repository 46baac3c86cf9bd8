import { randomUUID } from 'node:crypto';
import { amountFromWire } from '@pay/contracts';
import fc from 'fast-check';
import {
  after,
  anIntent,
  claimArrives,
  intentArrives,
  NAGAD_WALLET,
  OTHER_WALLET,
  smsArrives,
  someEvidence,
} from '../../test/builders';
import { pureWorld, type World } from '../../test/pure-world';
import type { Arrival } from './arrivals';
import type { Evidence } from './facts';

/** Facts that can be told in any order; names of one story never meet those of another. */
type Story = (name: string) => Arrival[];

const short = amountFromWire('499');
const nagad = { provider: 'NAGAD', method: 'NAGAD_SEND_MONEY', receiverAccountId: NAGAD_WALLET } as const;
const trxOf = (name: string, n = 0) => `TRX${name}${n}`;

function sms(name: string, given: Partial<Evidence> & { reference?: string }, n = 0): Arrival {
  return smsArrives(someEvidence({ trxId: trxOf(name, n), ingestedAt: after(2, n), ...given }));
}

const STORIES: Record<string, Story> = {
  'a reference and the exact amount': (name) => [
    intentArrives(anIntent({ reference: name })),
    sms(name, { reference: name }),
  ],
  'a reference and a taka short': (name) => [
    intentArrives(anIntent({ reference: name })),
    sms(name, { reference: name, amount: short }),
  ],
  'a taka short, then the exact amount': (name) => [
    intentArrives(anIntent({ reference: name })),
    sms(name, { reference: name, amount: short }),
    sms(name, { reference: name }, 1),
  ],
  'a method that the customer chose after he had paid by it': (name) => {
    const created = anIntent({ reference: name });
    const shownReceivers = [
      ...created.shownReceivers,
      { receiverAccountId: NAGAD_WALLET, paymentMethod: 'NAGAD_SEND_MONEY' as const },
    ];
    return [
      intentArrives(created),
      intentArrives({ ...created, sourceSequence: 2, shownReceivers }),
      sms(name, { reference: name, ...nagad }),
    ];
  },
  'a wallet that was not shown': (name) => [
    intentArrives(anIntent({ reference: name })),
    sms(name, { reference: name, receiverAccountId: OTHER_WALLET }),
  ],
  'a claim of money without a reference': (name) => {
    const intent = anIntent({ reference: name });
    return [intentArrives(intent), sms(name, {}), claimArrives(intent.id, trxOf(name))];
  },
  'a claim of another amount': (name) => {
    const intent = anIntent({ reference: name });
    return [intentArrives(intent), sms(name, { amount: short }), claimArrives(intent.id, trxOf(name))];
  },
  'a claim on another wallet': (name) => {
    const intent = anIntent({ reference: name });
    return [
      intentArrives(intent),
      sms(name, { receiverAccountId: OTHER_WALLET }),
      claimArrives(intent.id, trxOf(name)),
    ];
  },
  'a TrxID expected at creation': (name) => [
    intentArrives(anIntent({ reference: name, expectedTrxId: trxOf(name) })),
    sms(name, {}),
  ],
  'a payment by reference and a claim of it by its own customer': (name) => {
    const intent = anIntent({ reference: name });
    return [intentArrives(intent), sms(name, { reference: name }), claimArrives(intent.id, trxOf(name))];
  },
  'a text that came after the end': (name) => [
    intentArrives(anIntent({ reference: name })),
    sms(name, { reference: name, providerTime: after(4), ingestedAt: after(9) }),
  ],
  'a text of a TrxID forwarded as two': (name) => [
    intentArrives(anIntent({ reference: name })),
    sms(name, { reference: name }),
    sms(name, { reference: name }),
  ],
  'money without anything': (name) => [sms(name, {})],
  'a text that is not understood': () => [
    { kind: 'unparsed', tenant: anIntent().tenant, smsEventId: randomUUID(), ingestedAt: after(1), reason: 'unknown' },
  ],
};

/** What must not depend on the order: by TrxID, because of two texts of one TrxID either may be the first. */
function outcome(world: World): unknown {
  const { intents, evidence, claims } = world.all();
  const sorted = <Row>(rows: Row[]) => rows.map((row) => JSON.stringify(row)).sort();
  return {
    intents: sorted(intents.map(({ id, status }) => [id, status])),
    evidence: sorted(
      evidence.map(({ smsEventId, trxId, state }) => {
        const { status, reason, intentId, paidInTime } = world.match({ smsEventId });
        return [trxId, state, status, reason, intentId, paidInTime];
      }),
    ),
    claims: sorted(claims.map(({ id, outcome: told, state }) => [id, told, state])),
  };
}

function deliver(batches: readonly (readonly Arrival[])[]): World {
  const world = pureWorld();
  for (const batch of batches) world.deliver(...batch);
  return world;
}

/** Every payment is real, single and exact; every sequence has no gap. */
function invariantsHold(world: World): void {
  const { intents, matches, evidence } = world.all();
  const paying = matches.filter(({ status }) => status === 'MATCHED');
  const paid = intents.filter(({ status }) => status === 'PAID');
  expect(paying.map(({ intentId }) => intentId).sort()).toEqual(paid.map(({ id }) => id).sort());
  expect(evidence.filter(({ state }) => state === 'USED')).toHaveLength(paying.length);
  for (const { intentId, smsEventId, checks } of paying) {
    expect(world.evidence(smsEventId).amount).toBe(world.intent(intentId ?? '').amount);
    expect(Object.values(checks ?? {})).not.toContain('fail');
  }
  for (const { id, decisionSequence } of intents) {
    const told = world.rulings.flatMap(({ intent }) => (intent?.id === id ? [intent.sequence] : []));
    expect(told).toEqual(Array.from({ length: decisionSequence }, (_, n) => n + 1));
  }
  for (const { smsEventId, smsSequence } of matches) {
    const told = world.rulings.flatMap(({ sms: part }) => (part?.id === smsEventId ? [part.sequence] : []));
    expect(told).toEqual(Array.from({ length: smsSequence }, (_, n) => n + 1));
  }
}

/** The arrivals in some order, some of them again, cut into batches. */
function tellings(arrivals: readonly Arrival[]): fc.Arbitrary<Arrival[][]> {
  const repeated = fc
    .subarray([...arrivals])
    .chain((again) => fc.shuffledSubarray([...arrivals, ...again], { minLength: arrivals.length + again.length }));
  return fc
    .tuple(repeated, fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 60, maxLength: 60 }))
    .map(([told, sizes]) => {
      const batches: Arrival[][] = [];
      let rest = told;
      for (const size of sizes) {
        if (rest.length === 0) break;
        batches.push(rest.slice(0, size));
        rest = rest.slice(size);
      }
      return batches;
    });
}

describe('facts in any order, any number of times, in any batches', () => {
  const someStories = fc.subarray(Object.keys(STORIES), { minLength: 1 });

  it('give the same payments, the same evidence spent and the same open items', () => {
    fc.assert(
      fc.property(
        someStories
          .map((names) => names.flatMap((name, n) => STORIES[name]?.(`S${n}`) ?? []))
          .chain((arrivals) => tellings(arrivals).map((batches) => ({ arrivals, batches }))),
        ({ arrivals, batches }) => {
          const world = deliver(batches);

          expect(outcome(world)).toEqual(outcome(deliver([arrivals])));
          invariantsHold(world);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('never create money, whoever competes for whatever', () => {
    const few = (prefix: string) => fc.constantFrom(...['1', '2', '3'].map((n) => prefix + n));
    const amount = fc.constantFrom(short, amountFromWire('500'));
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
});
