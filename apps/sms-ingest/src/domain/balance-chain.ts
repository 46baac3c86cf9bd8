import { byMinute, orderOfMinute, type BalanceText, type PlacedText } from './balance-order';

/** A text about money without a balance: it may explain a gap around its time. */
export interface LooseText {
  readonly id: string;
  readonly at: number;
  readonly effects: readonly bigint[];
}

/** Money that moved between two texts and that no text reports. */
export interface Gap {
  /** Above zero: money came in. Never zero. */
  readonly amount: bigint;
  readonly from: number;
  readonly to: number;
}

/**
 * FIRST: no known balance before it. FOLLOWS: it continues the previous balance. GAP: it does not. BREAK: it does not,
 * and the surrounding texts agree without it, as they do around a forged text.
 */
export type Continuity = 'FIRST' | 'FOLLOWS' | 'GAP' | 'BREAK';

export interface CheckedText {
  readonly id: string;
  readonly at: number;
  readonly continuity: Continuity;
  /** The gap before it, if any. */
  readonly gap: Gap | null;
  /**
   * Whether it follows a gap closely, or begins the chain with a gap closely behind it: forged texts can continue each
   * other.
   */
  readonly isCloseToGap: boolean;
  /** Whether a gap follows closely: a text that is dated back leads to no later text. */
  readonly leadsToGap: boolean;
}

/** Whether the given texts reach this end of the chain. */
export interface Ends {
  readonly isBegin: boolean;
  readonly isEnd: boolean;
}

/** Maximum number of adjacent texts that no genuine text leads to. */
const LONGEST_BREAK = 4;
/** Number of texts next to a gap that must continue each other before one of them is trusted. */
const DOUBTED_NEXT_TO_GAP = 3;
/**
 * Number of texts between a text and the furthest one that its result depends on, besides the order of a minute: breaks
 * may separate the texts next to a gap.
 */
export const MOST_BETWEEN = (LONGEST_BREAK + 1) * DOUBTED_NEXT_TO_GAP;
/** Maximum number of combinations of texts without a balance that are tried to explain one gap. */
const MOST_COMBINATIONS = 1_024;

/**
 * Checks each text of some whole minutes of a chain whose place is certain; texts next to an open end are omitted. The
 * result for a text depends neither on the bounds of the part nor on the order of arrival.
 */
export function checkChain(texts: readonly BalanceText[], loose: readonly LooseText[], ends: Ends): CheckedText[] {
  const ordered = inOrder(texts);
  const sequence = ordered.flat();
  // The order of a minute depends on the minutes next to it.
  const uncertain = (minute: readonly PlacedText[] = []) => minute.length + MOST_BETWEEN;
  const first = ends.isBegin ? 0 : uncertain(ordered[0]);
  const last = sequence.length - (ends.isEnd ? 0 : uncertain(ordered.at(-1)));
  return checkSequence(sequence, loose).slice(first, Math.max(first, last));
}

/** The texts minute by minute, each with the balance before it. */
export function inOrder(texts: readonly BalanceText[]): PlacedText[][] {
  const minutes = byMinute(withoutEffectsAfterReserve(texts));
  return minutes.map((minute, index) => orderOfMinute(minute, minutes[index - 1] ?? [], minutes[index + 1] ?? []));
}

/** The success text after a reserve shows the balance that the reserve has left, and moves no money. */
function withoutEffectsAfterReserve(texts: readonly BalanceText[]): BalanceText[] {
  const reserved = new Set(texts.flatMap(({ pair, effects }) => (effects.includes(0n) ? [] : (pair ?? []))));
  return texts.map((text) =>
    text.pair !== null && reserved.has(text.pair) && text.effects.includes(0n) ? { ...text, effects: [0n] } : text,
  );
}

function checkSequence(sequence: readonly PlacedText[], loose: readonly LooseText[]): CheckedText[] {
  const checked: Omit<CheckedText, 'leadsToGap'>[] = [];
  const gaps = gapFinder(loose);
  let last: PlacedText | undefined;
  let behindGap = DOUBTED_NEXT_TO_GAP;
  for (let place = 0; place < sequence.length;) {
    const text = sequence[place] as PlacedText;
    const gap = last === undefined ? null : gaps.between(last, text);
    const broken = gap === null || last === undefined ? 0 : lengthOfBreak(sequence, place, last);
    for (const each of sequence.slice(place, place + broken)) {
      checked.push({ id: each.id, at: each.at, continuity: 'BREAK', gap: null, isCloseToGap: false });
    }
    if (broken > 0) {
      place += broken;
      continue;
    }
    behindGap = gap === null ? behindGap + 1 : 0;
    const continuity = last === undefined ? 'FIRST' : gap === null ? 'FOLLOWS' : 'GAP';
    checked.push({ id: text.id, at: text.at, continuity, gap, isCloseToGap: behindGap < DOUBTED_NEXT_TO_GAP });
    last = text;
    place += 1;
  }
  const firstGap = checked.findIndex(({ continuity }) => continuity === 'GAP');
  const beginsBeforeGap = firstGap <= DOUBTED_NEXT_TO_GAP;
  return checked.map((each, place) => ({
    ...each,
    isCloseToGap: each.isCloseToGap || (beginsBeforeGap && place < firstGap),
    leadsToGap: checked
      .slice(place + 1, place + 1 + DOUBTED_NEXT_TO_GAP)
      .some(({ continuity }) => continuity === 'GAP'),
  }));
}

function follows(text: PlacedText | undefined, before: PlacedText): boolean {
  return text !== undefined && text.before === before.balance;
}

/**
 * Number of texts from `place` that the chain skips: the next text follows from the one before them and from none of
 * them.
 */
function lengthOfBreak(sequence: readonly PlacedText[], place: number, last: PlacedText): number {
  for (let length = 1; length <= LONGEST_BREAK; length += 1) {
    const behind = sequence[place + length];
    const broken = sequence[place + length - 1];
    if (behind === undefined || broken === undefined) return 0;
    // A genuine text continues it.
    if (follows(behind, broken)) continue;
    if (follows(behind, last)) return length;
  }
  return 0;
}

interface GapFinder {
  /** Texts without a balance that explain the gap, or that it contains, explain no other gap. */
  between(last: PlacedText, text: PlacedText): Gap | null;
}

function gapFinder(loose: readonly LooseText[]): GapFinder {
  const spent = new Set<string>();
  // Several gaps of one minute have the same texts around them.
  let combined = { key: '', sets: combinations([]) };
  const explain = (missing: bigint, near: readonly LooseText[]): readonly LooseText[] | undefined => {
    const key = near.map(({ id }) => id).join();
    if (key !== combined.key) combined = { key, sets: combinations(near) };
    return combined.sets.get(missing);
  };
  return {
    between(last, text) {
      if (text.before === null || text.before === last.balance) return null;
      const missing = text.before - last.balance;
      const near = loose.filter(({ id, at }) => at >= last.at && at <= text.at && !spent.has(id));
      const explained = explain(missing, near);
      for (const { id } of explained ?? []) spent.add(id);
      if (explained !== undefined) return null;
      // Strictly between two balances it certainly moved money; in the minute of either, the order is unknown.
      const inside = near.filter(({ at, effects }) => at > last.at && at < text.at && effects.length > 0);
      const rest = inside.reduce((sum, { effects }) => sum - (effects[0] ?? 0n), missing);
      for (const { id } of inside) spent.add(id);
      return { amount: rest === 0n ? missing : rest, from: last.at, to: text.at };
    },
  };
}

/** The smallest set of texts for each sum of their effects. */
function combinations(near: readonly LooseText[]): ReadonlyMap<bigint, readonly LooseText[]> {
  let sets = new Map<bigint, readonly LooseText[]>([[0n, []]]);
  let tried = 1;
  for (const text of near) {
    tried *= 1 + text.effects.length;
    if (tried > MOST_COMBINATIONS) break;
    const grown = new Map(sets);
    for (const [sum, set] of sets) {
      for (const effect of text.effects) {
        const known = grown.get(sum + effect);
        if (known === undefined || known.length > set.length + 1) grown.set(sum + effect, [...set, text]);
      }
    }
    sets = grown;
  }
  return sets;
}
