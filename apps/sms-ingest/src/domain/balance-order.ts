/**
 * What one text says about the balance of its wallet, as far as it shows the balance. Sums are poisha, times
 * milliseconds.
 */
export interface BalanceText {
  readonly id: string;
  /** When, to the minute. */
  readonly at: number;
  /** When a phone received it: orders texts of one minute whose balances do not. */
  readonly receivedAt: number;
  readonly balance: bigint;
  /** Its possible effects on the balance, the usual one first; empty if unknown. */
  readonly effects: readonly bigint[];
  /** What it shares with another text about the same money: the reserve of a payment and its success. */
  readonly pair: string | null;
}

/** A text in its place, with the balance before it; null if unknown. */
export interface PlacedText extends BalanceText {
  readonly before: bigint | null;
}

type Trail = PlacedText[];

/** The texts of each minute, minutes in order, texts as the phone got them. */
export function byMinute(texts: readonly BalanceText[]): BalanceText[][] {
  const minutes: BalanceText[][] = [];
  for (const text of [...texts].sort(asReceived)) {
    const last = minutes.at(-1);
    if (last?.[0]?.at === text.at) last.push(text);
    else minutes.push([text]);
  }
  return minutes;
}

function asReceived(a: BalanceText, b: BalanceText): number {
  return a.at - b.at || a.receivedAt - b.receivedAt || (a.id < b.id ? -1 : 1);
}

/**
 * The texts of one minute in the order in which the balance of each follows from the one before, as far as they do. The
 * providers write no seconds, so the balances are all there is: each text is an edge from the balance before it to the
 * one after it, and what is looked for are trails that use all edges. The trail that leaves from the minute before
 * comes first, the one that arrives at the minute behind comes last. It depends on nothing but the sets of texts in
 * three minutes, so it is the same whatever order they came in.
 */
export function orderOfMinute(
  minute: readonly BalanceText[],
  earlier: readonly BalanceText[],
  later: readonly BalanceText[],
): PlacedText[] {
  const left = endsOf(earlier);
  const right = startsOf(later);
  const placed = minute.map((text) => ({ ...text, before: beforeOf(text, left, minute) }));
  const trails = trailsOf(placed, left, right);
  const rank = (trail: Trail) => {
    const [first, last] = [trail[0], trail.at(-1)];
    if (first !== undefined && isLeftBy(first, left)) return 0;
    return last !== undefined && right.has(last.balance) ? 2 : 1;
  };
  return trails
    .map((trail) => ({ trail, rank: rank(trail), earliest: [...trail].sort(asReceived)[0] as PlacedText }))
    .sort((a, b) => a.rank - b.rank || asReceived(a.earliest, b.earliest))
    .flatMap(({ trail }) => trail);
}

/** The possible final balances of a minute: those that none of its own texts continues. */
function endsOf(minute: readonly BalanceText[]): ReadonlySet<bigint> {
  const ends = minute.filter(
    (text) => !minute.some((other) => other !== text && beforesOf(other).includes(text.balance)),
  );
  return new Set((ends.length > 0 ? ends : minute).map(({ balance }) => balance));
}

/** The balances that a minute may have begun with: those to which none of its own texts has led. */
function startsOf(minute: readonly BalanceText[]): ReadonlySet<bigint> {
  const isLedTo = (text: BalanceText) =>
    minute.some((other) => other !== text && beforesOf(text).includes(other.balance));
  const starts = minute.filter((text) => !isLedTo(text));
  return new Set((starts.length > 0 ? starts : minute).flatMap(beforesOf));
}

function beforesOf({ balance, effects }: BalanceText): bigint[] {
  return effects.map((effect) => balance - effect);
}

/** Of the balances that may have been before it, the one that another text has left; else the usual one. */
function beforeOf(text: BalanceText, left: ReadonlySet<bigint>, minute: readonly BalanceText[]): bigint | null {
  const befores = beforesOf(text);
  const isLeft = (before: bigint) =>
    left.has(before) || minute.some((other) => other.id !== text.id && other.balance === before);
  return befores.find(isLeft) ?? befores[0] ?? null;
}

/** As few trails as possible that use every text once. */
function trailsOf(placed: readonly PlacedText[], left: ReadonlySet<bigint>, right: ReadonlySet<bigint>): Trail[] {
  const unused = new Map<bigint, PlacedText[]>();
  const surplus = new Map<bigint, number>();
  const count = (balance: bigint, change: number) => surplus.set(balance, (surplus.get(balance) ?? 0) + change);
  const trails: Trail[] = [];
  for (const text of placed) {
    count(text.balance, -1);
    if (text.before === null) continue;
    count(text.before, 1);
    unused.set(text.before, [...(unused.get(text.before) ?? []), text]);
  }
  const walk = (from: bigint): Trail => {
    const trail: Trail = [];
    for (let next = unused.get(from)?.shift(); next !== undefined; next = unused.get(next.balance)?.shift()) {
      trail.push(next);
    }
    return trail;
  };

  // Where it is not known what was before, nothing can lead to it.
  for (const text of placed) if (text.before === null) trails.push([text, ...walk(text.balance)]);
  const isStart = ({ before }: PlacedText): boolean => before !== null && (surplus.get(before) ?? 0) > 0;
  const startsFirst = (a: PlacedText, b: PlacedText) => preference(a, left) - preference(b, left) || asReceived(a, b);
  for (const { before } of placed.filter(isStart).sort(startsFirst)) {
    if (before === null || (surplus.get(before) ?? 0) <= 0) continue;
    count(before, -1);
    const trail = walk(before);
    if (trail.length > 0) trails.push(trail);
  }
  // What is left runs in circles: each belongs into a trail that passes by, or is one of its own.
  const circleFirst = (a: PlacedText, b: PlacedText) =>
    circlePreference(a, left, right) - circlePreference(b, left, right) || asReceived(a, b);
  spliceCircles(trails, unused, walk);
  for (const text of [...placed].sort(circleFirst)) {
    if (text.before === null || !unused.get(text.before)?.includes(text)) continue;
    trails.push(walk(text.before));
    spliceCircles(trails, unused, walk);
  }
  return trails;
}

function isLeftBy({ before }: PlacedText, left: ReadonlySet<bigint>): boolean {
  return before !== null && left.has(before);
}

function preference(text: PlacedText, left: ReadonlySet<bigint>): number {
  return isLeftBy(text, left) ? 0 : 1;
}

function circlePreference(text: PlacedText, left: ReadonlySet<bigint>, right: ReadonlySet<bigint>): number {
  return 2 * preference(text, left) + preference(text, right);
}

function spliceCircles(
  trails: Trail[],
  unused: ReadonlyMap<bigint, PlacedText[]>,
  walk: (from: bigint) => Trail,
): void {
  for (const trail of trails) {
    for (let place = 0; place <= trail.length; place += 1) {
      const balance = place === 0 ? trail[0]?.before : trail[place - 1]?.balance;
      if (balance === undefined || balance === null || !unused.get(balance)?.length) continue;
      trail.splice(place, 0, ...walk(balance));
    }
  }
}
