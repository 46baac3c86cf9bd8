import { amountFromWire, BALANCE_BREAK } from '@pay/contracts';
import fc from 'fast-check';
import type { Arrival } from '../src/domain/arrivals';
import type { Evidence } from '../src/domain/facts';
import {
  after,
  anIntent,
  aSignal,
  claimArrives,
  intentArrives,
  NAGAD_WALLET,
  OTHER_WALLET,
  readAgain,
  signalsChange,
  smsArrives,
  someEvidence,
  unparsedArrives,
} from './builders';

/** Facts for any order; scenarios share no names. */
type Scenario = (name: string) => Arrival[];

const short = amountFromWire('499');
const nagad = { provider: 'NAGAD', method: 'NAGAD_SEND_MONEY', receiverAccountId: NAGAD_WALLET } as const;
const trxOf = (name: string, n = 0) => `TRX${name}${n}`;

function sms(name: string, given: Partial<Evidence> & { reference?: string }, n = 0): Arrival {
  return smsArrives(someEvidence({ trxId: trxOf(name, n), ingestedAt: after(2, n), ...given }));
}

const SCENARIOS: Record<string, Scenario> = {
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
  'a text that is not understood': () => [unparsedArrives(someEvidence())],
  'a text that only a later parser understands': (name) => {
    const text = someEvidence({ trxId: trxOf(name), reference: name, factsSequence: 2, signalsSequence: 2 });
    return [intentArrives(anIntent({ reference: name })), unparsedArrives(text), smsArrives(text)];
  },
  'a text whose reference and TrxID only a later parser finds': (name) => {
    const text = someEvidence({ trxId: trxOf(name, 1) });
    const { referenceKey } = someEvidence({ reference: name });
    const intent = anIntent({ reference: name });
    const reading = readAgain(text, { referenceKey, trxId: trxOf(name) });
    return [intentArrives(intent), smsArrives(text), smsArrives(reading), claimArrives(intent.id, trxOf(name))];
  },
  'a break in the balance that a late text repairs': (name) => {
    const text = someEvidence({ trxId: trxOf(name), reference: name, signals: [aSignal(BALANCE_BREAK)] });
    return [intentArrives(anIntent({ reference: name })), smsArrives(text), signalsChange(text, [])];
  },
  'a claimed text with a signal that is taken back': (name) => {
    const text = someEvidence({ trxId: trxOf(name), signals: [aSignal('trx_id_date')] });
    const intent = anIntent({ reference: name });
    const published = [smsArrives(text), signalsChange(text, []), claimArrives(intent.id, trxOf(name))];
    return [intentArrives(intent), ...published];
  },
  'a text with a signal that stays': (name) => [
    intentArrives(anIntent({ reference: name })),
    sms(name, { reference: name, signals: [aSignal('look_alike_letters')] }),
  ],
  'money from another number than expected': (name) => [
    intentArrives(anIntent({ reference: name, expectedSenderMsisdn: '01911111111' })),
    sms(name, { reference: name, payerMsisdn: '01812345678' }),
  ],
};

/** The facts of some scenarios, each with its own names. */
export function someScenarios(prefix = 'S'): fc.Arbitrary<Arrival[]> {
  return fc
    .subarray(Object.keys(SCENARIOS), { minLength: 1 })
    .map((names) => names.flatMap((name, n) => SCENARIOS[name]?.(`${prefix}${n}`) ?? []));
}

/** The arrivals in some order, partly repeated, split into batches. */
export function tellings(arrivals: readonly Arrival[]): fc.Arbitrary<Arrival[][]> {
  const repeated = fc
    .subarray([...arrivals])
    .chain((again) => fc.shuffledSubarray([...arrivals, ...again], { minLength: arrivals.length + again.length }));
  return fc
    .tuple(repeated, fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 60, maxLength: 60 }))
    .map(([published, sizes]) => {
      const batches: Arrival[][] = [];
      let rest = published;
      for (const size of sizes) {
        if (rest.length === 0) break;
        batches.push(rest.slice(0, size));
        rest = rest.slice(size);
      }
      return batches;
    });
}
