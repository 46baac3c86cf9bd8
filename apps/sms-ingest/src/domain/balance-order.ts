/** A text with a balance. Amounts are poisha, times milliseconds. */
export interface BalanceText {
  readonly id: string;
  /** Time in minute precision. */
  readonly at: number;
  /** Time of receipt on the phone: orders texts of one minute whose order the balances do not determine. */
  readonly receivedAt: number;
  readonly balance: bigint;
  /** Its possible effects on the balance, the usual one first; empty if unknown. */
  readonly effects: readonly bigint[];
  /** TrxID that it shares with another text about the same money, as a reserve and its success do. */
  readonly pair: string | null;
}

/** A text in its place, with the balance before it; null if unknown. */
export interface PlacedText extends BalanceText {
  readonly before: bigint | null;
}

type Trail = PlacedText[];

/** The texts of each minute, minutes in order, texts in order of receipt. */
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
 * The texts of one minute ordered by their balances: each text is an edge between two balances, and the result is the
 * trails that use all edges. It starts with the trail from the previous minute, ends with the trail to the next one,
 * and depends only on the texts of three minutes.
 */
export function orderOfMinute(
  minute: readonly BalanceText[],
  earlier: readonly BalanceText[],
  later: readonly BalanceText[],
): PlacedText[] {
  const left = endsOf(earlier);
  const right = startsOf(later);
  const ofMinute = countsOf(minute.map(({ balance }) => balance));
  const placed = minute.map((text) => ({ ...text, before: beforeOf(text, left, ofMinute) }));
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

/** The possible final balances of a minute: those that none of its texts continues. */
function endsOf(minute: readonly BalanceText[]): ReadonlySet<bigint> {
  const continued = countsOf(minute.flatMap((text) => [...new Set(beforesOf(text))]));
  const ends = minute.filter(
    (text) => (continued.get(text.balance) ?? 0) === (beforesOf(text).includes(text.balance) ? 1 : 0),
  );
  return new Set((ends.length > 0 ? ends : minute).map(({ balance }) => balance));
}

/** The possible initial balances of a minute: those to which none of its texts leads. */
function startsOf(minute: readonly BalanceText[]): ReadonlySet<bigint> {
  const left = countsOf(minute.map(({ balance }) => balance));
  const starts = minute.filter((text) => !beforesOf(text).some((before) => isLeftByOther(text, before, left)));
  return new Set((starts.length > 0 ? starts : minute).flatMap(beforesOf));
}

function beforesOf({ balance, effects }: BalanceText): bigint[] {
  return effects.map((effect) => balance - effect);
}

function countsOf(balances: readonly bigint[]): ReadonlyMap<bigint, number> {
  const counts = new Map<bigint, number>();
  for (const balance of balances) counts.set(balance, (counts.get(balance) ?? 0) + 1);
  return counts;
}

/** Whether another text of the counted ones has left this balance. */
function isLeftByOther(text: BalanceText, before: bigint, left: ReadonlyMap<bigint, number>): boolean {
  return (left.get(before) ?? 0) > (text.balance === before ? 1 : 0);
}

/** The possible earlier balance that another text has left; otherwise the usual one. */
function beforeOf(
  text: BalanceText,
  earlier: ReadonlySet<bigint>,
  ofMinute: ReadonlyMap<bigint, number>,
): bigint | null {
  const befores = beforesOf(text);
  const isLeft = (before: bigint) => earlier.has(before) || isLeftByOther(text, before, ofMinute);
  return befores.find(isLeft) ?? befores[0] ?? null;
}

/** The smallest number of trails that use every text once. */
function trailsOf(placed: readonly PlacedText[], left: ReadonlySet<bigint>, right: ReadonlySet<bigint>): Trail[] {
  const unused = new Map<bigint, PlacedText[]>();
  const surplus = new Map<bigint, number>();
  const count = (balance: bigint, change: number) => surplus.set(balance, (surplus.get(balance) ?? 0) + change);
  const trails: Trail[] = [];
  for (const text of placed) {
    count(text.balance, -1);
    if (text.before === null) continue;
    count(text.before, 1);
    const same = unused.get(text.before);
    if (same === undefined) unused.set(text.before, [text]);
    else same.push(text);
  }
  const used = new Set<PlacedText>();
  const walk = (from: bigint): Trail => {
    const trail: Trail = [];
    for (let next = unused.get(from)?.shift(); next !== undefined; next = unused.get(next.balance)?.shift()) {
      trail.push(next);
      used.add(next);
    }
    return trail;
  };

  // If the earlier balance is unknown, no text can lead to it.
  for (const text of placed) if (text.before === null) trails.push([text, ...walk(text.balance)]);
  const isStart = ({ before }: PlacedText): boolean => before !== null && (surplus.get(before) ?? 0) > 0;
  const startsFirst = (a: PlacedText, b: PlacedText) => preference(a, left) - preference(b, left) || asReceived(a, b);
  for (const { before } of placed.filter(isStart).sort(startsFirst)) {
    if (before === null || (surplus.get(before) ?? 0) <= 0) continue;
    count(before, -1);
    const trail = walk(before);
    if (trail.length > 0) trails.push(trail);
  }
  // The remaining texts form cycles: each joins an adjacent trail or becomes a trail itself.
  const cycleFirst = (a: PlacedText, b: PlacedText) =>
    cyclePreference(a, left, right) - cyclePreference(b, left, right) || asReceived(a, b);
  spliceCycles(trails, unused, walk);
  for (const text of [...placed].sort(cycleFirst)) {
    if (text.before === null || used.has(text)) continue;
    const trail = walk(text.before);
    trails.push(trail);
    spliceCycles([trail], unused, walk);
  }
  return trails;
}

function isLeftBy({ before }: PlacedText, left: ReadonlySet<bigint>): boolean {
  return before !== null && left.has(before);
}

function preference(text: PlacedText, left: ReadonlySet<bigint>): number {
  return isLeftBy(text, left) ? 0 : 1;
}

function cyclePreference(text: PlacedText, left: ReadonlySet<bigint>, right: ReadonlySet<bigint>): number {
  return 2 * preference(text, left) + preference(text, right);
}

function spliceCycles(trails: Trail[], unused: ReadonlyMap<bigint, PlacedText[]>, walk: (from: bigint) => Trail): void {
  for (const trail of trails) {
    for (let place = 0; place <= trail.length; place += 1) {
      const balance = place === 0 ? trail[0]?.before : trail[place - 1]?.balance;
      if (balance === undefined || balance === null || !unused.get(balance)?.length) continue;
      trail.splice(place, 0, ...walk(balance));
    }
  }
}
