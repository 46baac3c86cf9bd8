import { randomUUID } from 'node:crypto';
import type { Environment } from '@pay/contracts';
import { environmentOf, methodOf, NEW_SHOP, type Happening, type IntentFact, type Shop, type TextFact } from './facts';
import { AMOUNTS, type SingleStep, type Step } from './steps';

const MINUTE = 60_000;
const EXPECTED_PAYER = '01812345678';
const OTHER_PAYER = '01911111111';
/** Long enough ago that nothing of a history lies in the future of the database's clock. */
const FORTY_DAYS = 40 * 24 * 60 * MINUTE;

/** Interprets a step in the current state: names, times, and messages that are still held back. */
export interface HappeningGenerator {
  readonly clock: () => number;
  /** What happens, at the same moment when there are several. */
  happeningsOf(step: Step): Happening[];
  /** The steps after which no message is in transit and all intents have ended. */
  rest(): Happening[];
}

export function happeningGenerator(): HappeningGenerator {
  let now = Math.floor((Date.now() - FORTY_DAYS) / MINUTE) * MINUTE;
  const name = randomUUID().slice(0, 8);
  const intents = new Map<number, IntentFact>();
  const texts = new Map<number, TextFact>();
  const unparsed = new Map<number, string>();
  const claims = new Map<string, Extract<Happening, { kind: 'claim' }>>();
  const published = new Set<string>();
  let held: Extract<Happening, { kind: 'intent' | 'text' | 'claim' }>[] = [];
  let signalsSequence = 1;
  let shop: Shop = NEW_SHOP;

  const referenceOf = (intent: number) => `INV${name}${intent % 3}`;
  const trxIdOf = (n: number) => `TRX${name}${n}`;

  function create(step: Extract<SingleStep, { do: 'create' }>): IntentFact {
    return {
      id: randomUUID(),
      environment: environmentOf(step.intent),
      reference: referenceOf(step.intent),
      amount: AMOUNTS[step.amount] ?? AMOUNTS[0],
      made: now,
      ends: now + step.lives * MINUTE,
      shown: step.shown,
      expectedTrxId: step.expectedTrxId === null ? undefined : trxIdOf(step.expectedTrxId),
      expectedPayer: step.expectsPayer ? EXPECTED_PAYER : undefined,
      sequence: 1,
    };
  }

  function write(step: Extract<SingleStep, { do: 'text' }>): TextFact {
    const wallet = step.wallet ?? undefined;
    const isNagad = methodOf(wallet ?? 0) === 'NAGAD_SEND_MONEY';
    const here = now + step.millisecondsAfter;
    return {
      id: randomUUID(),
      environment: step.environment,
      provider: isNagad ? 'NAGAD' : 'BKASH',
      // The providers' TrxIDs look different: four of the one, two of the other.
      trxId: trxIdOf(isNagad ? 4 + (step.trxId % 2) : step.trxId % 4),
      reference: written(step.names),
      amount: AMOUNTS[step.amount] ?? AMOUNTS[0],
      wallet,
      payer: step.payer === null ? undefined : step.payer === 'expected' ? EXPECTED_PAYER : OTHER_PAYER,
      sent: now - step.minutesBefore * MINUTE + step.secondsAfter * 1_000,
      here,
      signals: step.signals,
      isUnsigned: step.isUnsigned,
    };
  }

  function written(names: Extract<SingleStep, { do: 'text' }>['names']): string | undefined {
    if (names === null) return undefined;
    if (names === 'stranger') return `OTHER${name}`;
    return names === 'typo' ? `1NV${name}0` : referenceOf(names);
  }

  function happeningOf(step: SingleStep): Happening[] {
    switch (step.do) {
      case 'create': {
        const known = intents.get(step.intent);
        const intent = known ?? create(step);
        intents.set(step.intent, intent);
        return send({ kind: 'intent', intent }, known === undefined && step.isHeld);
      }
      case 'choose': {
        const before = intents.get(step.intent);
        if (before === undefined) return [];
        const shown = [...new Set([...before.shown, step.wallet])];
        const intent = { ...before, shown, sequence: before.sequence + 1 };
        intents.set(step.intent, intent);
        return send({ kind: 'intent', intent }, false);
      }
      case 'text': {
        const known = texts.get(step.text);
        const text = known ?? write(step);
        texts.set(step.text, text);
        return send({ kind: 'text', text }, known === undefined && step.isHeld);
      }
      case 'unparsed': {
        const id = unparsed.get(step.text) ?? randomUUID();
        unparsed.set(step.text, id);
        published.add(id);
        return [{ kind: 'unparsed', id, environment: 'LIVE', here: now }];
      }
      case 'signals': {
        const text = texts.get(step.text);
        if (text === undefined) return [];
        const { id, environment } = text;
        return [{ kind: 'signals', id, environment, signals: step.signals, sequence: (signalsSequence += 1) }];
      }
      case 'claim': {
        const intent = intents.get(step.intent);
        if (intent === undefined) return [];
        const trxId = trxIdOf(step.trxId);
        const { id: intentId, environment } = intent;
        const key = `${intentId} ${trxId}`;
        const known = claims.get(key);
        if (known !== undefined && !step.isSubmittedAgain) return send(known, false);
        const named = known?.claim ?? {
          id: randomUUID(),
          environment,
          intentId,
          trxId,
          digits: step.digits ?? undefined,
        };
        const submitted = { kind: 'claim', claim: { ...named, at: now + step.millisecondsAfter } } as const;
        claims.set(key, submitted);
        return send(submitted, step.isHeld);
      }
      case 'person':
        return decisionOf(step);
      case 'expire':
        // By half a minute past, so that no slowness of this machine moves a step past the end of an intent.
        return [{ kind: 'expire', clock: now + MINUTE / 2, undecided: undecided() }];
      case 'windows':
        return [{ kind: 'windows', clock: now + MINUTE / 2 }];
      case 'look':
        return [{ kind: 'look' }];
    }
  }

  function decisionOf(step: Extract<SingleStep, { do: 'person' }>): Happening[] {
    const text = texts.get(step.text);
    const textId = text?.id ?? unparsed.get(step.text);
    if (textId === undefined || !published.has(textId)) return [];
    const intent = intents.get(step.intent);
    const isAboutBoth = step.isAcknowledged && text !== undefined && intent !== undefined;
    const acknowledged = isAboutBoth ? { expected: intent.amount, received: text.amount } : undefined;
    const { act, isSentTwice } = step;
    return [{ kind: 'person', act, textId, intentId: intent?.id ?? randomUUID(), acknowledged, isSentTwice, at: now }];
  }

  /** After it is published, people can see a text. */
  function send(what: (typeof held)[number], isHeld: boolean): Happening[] {
    if (isHeld) {
      held.push(what);
      return [];
    }
    if (what.kind === 'text') {
      published.add(what.text.id);
      held = held.filter((each) => each.kind !== 'text' || each.text.id !== what.text.id);
    }
    if (what.kind === 'claim') held = held.filter((each) => each !== what);
    return [what];
  }

  /** Stored texts and claims that the reconciler has not received. Their owners list them as undecided. */
  function undecided(): Partial<Record<Environment, number>> {
    const oldest: Partial<Record<Environment, number>> = {};
    for (const what of held) {
      if (what.kind === 'intent') continue;
      const [environment, since] =
        what.kind === 'text' ? [what.text.environment, what.text.here] : [what.claim.environment, what.claim.at];
      oldest[environment] = Math.min(since, oldest[environment] ?? Infinity);
    }
    return oldest;
  }

  function settingsOf({ methods, ...rest }: Extract<Step, { do: 'settings' }>): Shop {
    return { ...rest, methods: methods.map(methodOf) };
  }

  return {
    clock: () => now,
    happeningsOf(step) {
      switch (step.do) {
        case 'clock':
          now += step.minutes * MINUTE;
          // Only the worker that closes match windows is affected by the passed days.
          return step.minutes < 24 * 60 ? [] : happeningOf({ do: 'windows' });
        case 'deliver': {
          const [what] = held.splice(held.length === 0 ? 0 : step.held % held.length, 1);
          return what === undefined ? [] : send(what, false);
        }
        case 'settings':
          shop = settingsOf(step);
          return [{ kind: 'settings', shop }];
        case 'together': {
          // Users see the state before this moment.
          const seen = step.steps.flatMap((each) => (each.do === 'person' ? happeningOf(each) : []));
          const others = step.steps.flatMap((each) => (each.do === 'person' ? [] : happeningOf(each)));
          return [...seen, ...others];
        }
        case 'create':
        case 'choose':
        case 'text':
        case 'unparsed':
        case 'signals':
        case 'claim':
        case 'person':
        case 'expire':
        case 'windows':
        case 'look':
          return happeningOf(step);
      }
    },
    rest() {
      const onTheirWay = held.splice(0).flatMap((what) => send(what, false));
      now += 120 * 60 * MINUTE;
      const ends: SingleStep['do'][] = ['look', 'expire', 'windows'];
      return [...onTheirWay, ...ends.flatMap((each) => happeningOf({ do: each } as SingleStep))];
    },
  };
}
