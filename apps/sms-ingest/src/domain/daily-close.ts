import type { MatchStatus } from '@pay/contracts';
import { inOrder, type Continuity } from './balance-chain';
import type { BalanceText, PlacedText } from './balance-order';

/** A text near the end of a wallet's day. Amounts are poisha, times milliseconds. */
export interface EndText extends Omit<BalanceText, 'balance'> {
  /** Null: it shows none. */
  readonly balance: bigint | null;
  readonly continuity: Continuity | 'UNJUDGED' | null;
  readonly matchStatus: MatchStatus | null;
}

/** A text of a wallet's day. */
export interface DayText extends EndText {
  readonly direction: 'IN' | 'OUT' | 'NONE' | null;
  readonly amount: bigint | null;
  /** Whether it reports received money that can pay an order. */
  readonly isEvidence: boolean;
}

export interface Sum {
  readonly count: number;
  readonly amount: bigint;
}

/** A wallet's day. Balances are null while no text contains one. */
export interface ClosedDay<Text extends DayText = DayText> {
  readonly texts: number;
  readonly opening: bigint | null;
  readonly matched: Sum;
  readonly unmatched: Sum;
  readonly otherIncoming: Sum;
  readonly outgoing: Sum;
  readonly fees: bigint;
  readonly commissions: bigint;
  readonly adjustments: bigint;
  readonly closing: bigint | null;
  readonly expected: bigint | null;
  readonly difference: bigint | null;
  readonly doubtful: Sum;
  readonly duplicates: number;
  readonly withoutOrder: readonly Text[];
}

/**
 * Closes a day from its texts and the adjacent ones: earlier texts give the opening balance, later ones the order of
 * the last minute. The result does not depend on the order of arrival.
 */
export function closeDay<Text extends DayText>(
  texts: readonly Text[],
  { from, to }: { readonly from: number; readonly to: number },
): ClosedDay<Text> {
  const known = texts.filter(isKnown);
  const placed = placedTexts(known);
  const deltas = deltasOf(placed);
  const day = known.filter(({ at }) => at >= from && at < to);
  const opening =
    placed.findLast(({ at }) => at < from)?.balance ?? placed.find(({ at }) => at >= from && at < to)?.before ?? null;
  const closing = placed.findLast(({ at }) => at >= from && at < to)?.balance ?? opening;

  const moves = day.map((text) => moveOf(text, deltas.get(text.id)));
  const sumOf = (kind: Move<Text>['kind']) => total(moves.filter((move) => move.kind === kind));
  const [matched, unmatched, otherIncoming, outgoing] = [
    sumOf('matched'),
    sumOf('unmatched'),
    sumOf('otherIncoming'),
    sumOf('outgoing'),
  ];
  const fees = add(moves.map(({ fee }) => (fee > 0n ? fee : 0n)));
  const commissions = add(moves.map(({ fee }) => (fee < 0n ? -fee : 0n)));
  const adjustments = sumOf('adjustment').amount;
  const incoming = matched.amount + unmatched.amount + otherIncoming.amount;
  const expected = opening === null ? null : opening + incoming - outgoing.amount - fees + commissions + adjustments;
  return {
    texts: day.length,
    opening,
    matched,
    unmatched,
    otherIncoming,
    outgoing,
    fees,
    commissions,
    adjustments,
    closing,
    expected,
    difference: closing === null || expected === null ? null : closing - expected,
    doubtful: total(moves.filter(({ text }) => text.continuity === 'BREAK')),
    duplicates: texts.filter(({ at, matchStatus }) => matchStatus === 'DUPLICATE' && at >= from && at < to).length,
    withoutOrder: moves
      .filter(({ kind }) => kind === 'unmatched')
      .map(({ text }) => text)
      .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)),
  };
}

/** The balance with which a wallet reaches a time, from the texts around it. Null if none before it shows a balance. */
export function closingBalance(texts: readonly EndText[], to: number): bigint | null {
  return placedTexts(texts.filter(isKnown)).findLast(({ at }) => at < to)?.balance ?? null;
}

function isKnown({ matchStatus }: EndText): boolean {
  return matchStatus !== 'DUPLICATE';
}

function placedTexts(texts: readonly EndText[]): PlacedText[] {
  return inOrder(texts.flatMap(shownBalance)).flat();
}

/** Texts that the chain skips are ignored for the balance. */
function shownBalance(text: EndText): BalanceText[] {
  const { balance } = text;
  return balance === null || text.continuity === 'BREAK' ? [] : [{ ...text, balance }];
}

interface Delta {
  readonly amount: bigint;
  /** False if only the surrounding balances show it. */
  readonly isKnown: boolean;
}

/** The actual effect of each text on the balance, out of the possible ones. */
function deltasOf(placed: readonly PlacedText[]): ReadonlyMap<string, Delta> {
  return new Map(
    placed.map(({ id, before, balance }, place) => {
      const last = placed[place - 1]?.balance ?? balance;
      return [
        id,
        before === null ? { amount: balance - last, isKnown: false } : { amount: balance - before, isKnown: true },
      ];
    }),
  );
}

interface Move<Text> {
  readonly text: Text;
  readonly kind: 'matched' | 'unmatched' | 'otherIncoming' | 'outgoing' | 'adjustment' | 'none';
  readonly amount: bigint;
  /** Negative: a commission that was paid with the amount. */
  readonly fee: bigint;
}

function moveOf<Text extends DayText>(text: Text, placed: Delta | undefined): Move<Text> {
  const delta = placed ?? { amount: text.effects[0] ?? 0n, isKnown: text.effects.length > 0 };
  const { direction, amount } = text;
  if (!delta.isKnown || amount === null || (direction !== 'IN' && direction !== 'OUT'))
    return { text, kind: delta.amount === 0n ? 'none' : 'adjustment', amount: delta.amount, fee: 0n };
  if (direction === 'IN') return { text, kind: kindOfMoney(text), amount, fee: amount - delta.amount };
  // The second text about money that a reserve has deducted.
  if (delta.amount === 0n) return { text, kind: 'none', amount: 0n, fee: 0n };
  return { text, kind: 'outgoing', amount, fee: -delta.amount - amount };
}

function kindOfMoney({ isEvidence, matchStatus }: DayText): 'matched' | 'unmatched' | 'otherIncoming' {
  if (!isEvidence) return 'otherIncoming';
  return matchStatus === 'MATCHED' || matchStatus === 'MANUALLY_RESOLVED' ? 'matched' : 'unmatched';
}

function total(moves: readonly { readonly amount: bigint }[]): Sum {
  return { count: moves.length, amount: add(moves.map(({ amount }) => amount)) };
}

function add(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}
