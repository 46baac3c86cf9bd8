import fc from 'fast-check';
import { environmentOf, PERSONS_ACTS } from './facts';

/*
 * A history as numbers of intents, texts and TrxIDs, few of each, so that they interact. Only numbers, so that a
 * failing history can be shrunk to the necessary steps.
 */

const INTENTS = 5;
const TEXTS = 5;
const TRX_IDS = 6;
/** In poisha: usually the amounts of intents, otherwise mistyped ones. */
export const AMOUNTS = [50_000, 49_900, 50_050] as const;
/** In minutes: when the match window of a text is over, and when an intent is still open then. */
const PAST_THE_WINDOW = 73 * 60;
const LONGER_THAN_THE_WINDOW = 96 * 60;

const mostly = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ arbitrary: fc.constant(usual), weight: 4 }, { arbitrary: fc.constantFrom(...others), weight: 1 });
const intent = fc.nat(INTENTS - 1);
const trxId = fc.nat(TRX_IDS - 1);
/** Whether its owner delays the event. */
const isHeld = mostly(false, true);

const create = fc.record({
  do: fc.constant('create' as const),
  intent,
  amount: mostly(0, 1, 2),
  shown: mostly([0], [], [0, 2], [2], [1]),
  expectedTrxId: fc.option(trxId, { freq: 4 }),
  expectsPayer: mostly(false, true),
  /** Minutes until it ends: the usual few, or longer than any text waits. */
  lives: mostly(5, LONGER_THAN_THE_WINDOW),
  isHeld: mostly(false, false, true),
});
const choose = fc.record({ do: fc.constant('choose' as const), intent, wallet: fc.nat(2) });
const text = fc.record({
  do: fc.constant('text' as const),
  text: fc.nat(TEXTS - 1),
  environment: mostly('LIVE' as const, 'SANDBOX' as const),
  /** Whose reference it bears; a letter typed wrongly; one of no intent; none. */
  names: fc.oneof(
    { arbitrary: intent, weight: 6 },
    fc.constantFrom('typo' as const, 'stranger' as const),
    fc.constant(null),
  ),
  trxId,
  amount: mostly(0, 1, 2),
  wallet: fc.oneof({ arbitrary: fc.constant(0), weight: 9 }, fc.constantFrom(1, 2, 2), fc.constant(null)),
  payer: fc.constantFrom('expected' as const, 'other' as const, null),
  signals: fc.constantFrom<string[]>(
    [],
    [],
    [],
    [],
    ['trx_id_time'],
    ['grammar'],
    ['balance_break'],
    ['balance_break', 'a_newer_signal'],
  ),
  isUnsigned: mostly(false, true),
  /** Minutes that the provider's time lies before its arrival; a forger's may lie after it. */
  minutesBefore: fc.oneof(
    { arbitrary: fc.constant(0), weight: 6 },
    fc.constantFrom(1, 5, 9, 11, 25 * 60, 72 * 60, 73 * 60, -3),
  ),
  /** Of the provider's time, which counts by the minute. */
  secondsAfter: fc.constantFrom(0, 59),
  /** Past the minute, when it got here: the last moment of an intent, the first one after it, and well after. */
  millisecondsAfter: fc.constantFrom(0, 0, 1, 20_000),
  isHeld,
});
const unparsed = fc.record({ do: fc.constant('unparsed' as const), text: fc.constant(TEXTS - 1) });
const signals = fc.record({
  do: fc.constant('signals' as const),
  text: fc.nat(TEXTS - 1),
  signals: fc.constantFrom<string[]>([], ['trx_id_time'], ['balance_break']),
});
const claim = fc.record({
  do: fc.constant('claim' as const),
  intent,
  trxId,
  /** Those of the expected payer, of the other one, and of no payer. */
  digits: fc.constantFrom(null, null, '678', '678', '111', '222'),
  millisecondsAfter: fc.constantFrom(0, 1, 20_000),
  /** A new submission of a claim; otherwise its event arrives again. */
  isSubmittedAgain: fc.boolean(),
  isHeld,
});
const person = fc.record({
  do: fc.constant('person' as const),
  act: fc.constantFrom('link' as const, ...PERSONS_ACTS),
  text: fc.nat(TEXTS - 1),
  intent,
  isAcknowledged: fc.boolean(),
  isSentTwice: mostly(false, true),
});
const clock = fc.record({
  do: fc.constant('clock' as const),
  minutes: fc.oneof(
    { arbitrary: fc.constantFrom(1, 2, 4, 5), weight: 6 },
    fc.constantFrom(-5, 25 * 60, PAST_THE_WINDOW),
  ),
});
const deliver = fc.record({ do: fc.constant('deliver' as const), held: fc.nat(9) });
const settings = fc.record({
  do: fc.constant('settings' as const),
  isActive: mostly(true, false),
  methods: mostly<number[]>([0, 2], [0], [2], []),
  wallets: mostly<number[]>([0, 1, 2], [1, 2], [0], [2], []),
  requirePayerDigits: fc.boolean(),
  rules: fc.record({
    reviewForgerySignals: fc.boolean(),
    reviewBalanceBreaks: fc.boolean(),
    requirePayerAgreement: fc.boolean(),
    reviewOlderThanHours: fc.constantFrom(null, null, 1, 24),
    relaxedSignals: fc.constantFrom<string[] | undefined>(
      undefined,
      [],
      ['trx_id_time'],
      ['unsigned_forwarder', 'balance'],
    ),
  }),
});
const worker = fc.constantFrom('expire' as const, 'expire' as const, 'look' as const, 'windows' as const);
const work = fc.record({ do: worker });

const single = [
  { arbitrary: create, weight: 6 },
  { arbitrary: text, weight: 8 },
  { arbitrary: claim, weight: 5 },
  { arbitrary: person, weight: 7 },
  { arbitrary: choose, weight: 2 },
  { arbitrary: signals, weight: 1 },
  { arbitrary: unparsed, weight: 1 },
  { arbitrary: work, weight: 4 },
];
/** At the same moment, in separate transactions, on different replicas. */
const together = fc.record({
  do: fc.constant('together' as const),
  steps: fc
    .array(fc.oneof(...single), { minLength: 2, maxLength: 3 })
    .filter((steps) => steps.filter((step) => ['expire', 'look', 'windows'].includes(step.do)).length < 2),
});

const step = fc.oneof(
  ...single,
  { arbitrary: clock, weight: 4 },
  { arbitrary: deliver, weight: 3 },
  { arbitrary: settings, weight: 1 },
  { arbitrary: together, weight: 6 },
);

type ValueOf<A> = A extends fc.Arbitrary<infer Value> ? Value : never;
export type SingleStep = ValueOf<(typeof single)[number]['arbitrary']>;
export type Step = SingleStep | ValueOf<typeof clock | typeof deliver | typeof settings | typeof together>;

/** An intent and a text without anything unusual. */
const plainIntent = (number: number, lives: number): Step => ({
  do: 'create',
  intent: number,
  amount: 0,
  shown: [0],
  lives,
  isHeld: false,
  expectedTrxId: null,
  expectsPayer: false,
});
const plainText = (given: Pick<Extract<SingleStep, { do: 'text' }>, 'text' | 'names' | 'trxId' | 'amount'>): Step => ({
  do: 'text',
  environment: environmentOf(0),
  wallet: 0,
  payer: null,
  signals: [],
  isUnsigned: false,
  minutesBefore: 0,
  secondsAfter: 0,
  millisecondsAfter: 0,
  isHeld: false,
  ...given,
});
const plainClaim = (number: number, of: number, digits: '678' | null = null): Step => ({
  do: 'claim',
  intent: number,
  trxId: of,
  digits,
  millisecondsAfter: 0,
  isSubmittedAgain: true,
  isHeld: false,
});

/**
 * Money whose window is over when something leads it, at last, to an intent that is open: a claim, or the intent
 * itself.
 */
const pastTheWindow = fc
  .record({ intent, trxId: fc.nat(3), byClaim: fc.boolean() })
  .map(({ intent, trxId, byClaim }) => {
    const made = plainIntent(intent, LONGER_THAN_THE_WINDOW);
    const environment = environmentOf(intent);
    const sent = { ...plainText({ text: 0, names: byClaim ? null : intent, trxId, amount: 0 }), environment } as Step;
    const later: Step = { do: 'clock', minutes: PAST_THE_WINDOW };
    return byClaim ? [made, sent, later, plainClaim(intent, trxId)] : [sent, later, made];
  });

/** A text that two intents claim, one of which is then paid by another text, or rejected through it. */
const competitorEnds = fc
  .record({
    trxId: fc.nat(1),
    amount: fc.nat(1),
    names: fc.constantFrom(null, 0),
    digits: fc.tuple(fc.constantFrom(null, '678'), fc.constantFrom(null, '678')),
  })
  .map(({ trxId, amount, names, digits }) => [
    ...[0, 1].map((number) => plainIntent(number, 5)),
    ...digits.map((each, number) => plainClaim(number, trxId, each)),
    { ...plainText({ text: 1, names, trxId, amount: names === null ? 0 : 1 }), payer: 'expected' } as Step,
    plainText({ text: 2, names: 0, trxId: trxId + 2, amount }),
    { do: 'person', act: 'reject', text: 2, intent: 0, isAcknowledged: false, isSentTwice: false } as const,
  ]);

/**
 * A text that the claim of an open intent leads to, and that of a rejected one, which is submitted before, soon after
 * or later than its end and its rejection, once or twice.
 */
const rejectedClaims = fc
  .record({
    trxId: fc.nat(1),
    amount: fc.nat(1),
    minutes: fc.constantFrom(1, 6),
    pause: fc.constantFrom(1, 3),
    order: fc.shuffledSubarray(['claim', 'claim', 'text'] as const, { minLength: 2 }),
    isRejectedAfter: fc.nat(3),
  })
  .map(({ trxId, amount, minutes, pause, order, isRejectedAfter }): Step[] => {
    const later: Step = { do: 'clock', minutes: pause };
    const steps = order.map((each) =>
      each === 'claim' ? plainClaim(0, trxId) : plainText({ text: 1, names: null, trxId, amount }),
    );
    const rejected: Step = {
      do: 'person',
      act: 'reject',
      text: 2,
      intent: 0,
      isAcknowledged: false,
      isSentTwice: false,
    };
    return [
      plainIntent(0, 5),
      plainIntent(1, LONGER_THAN_THE_WINDOW),
      plainText({ text: 2, names: 0, trxId: trxId + 2, amount: 1 }),
      { do: 'clock', minutes },
      ...steps.toSpliced(isRejectedAfter, 0, rejected).flatMap((each) => [each, later]),
      plainText({ text: 1, names: null, trxId, amount }),
      plainClaim(1, trxId),
    ];
  });

/**
 * What a merchant has set, sometimes money that has waited for too long or that two intents claim, three intents and a
 * text first, so that there is something to pay and to doubt.
 */
export const history: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.option(settings, { freq: 2 }),
    fc.option(fc.oneof(pastTheWindow, competitorEnds, rejectedClaims), { freq: 2 }),
    fc.array(create, { minLength: 3, maxLength: 3 }),
    text,
    fc.array(step, { minLength: 6, maxLength: 22, size: 'max' }),
  )
  .map(([set, first, creates, sent, steps]) => [
    ...(set === null ? [] : [set]),
    ...(first ?? []),
    ...creates,
    sent,
    ...steps,
  ]);
