import type { StoredText, Stretch, Unexamined } from './balance-text-repository';
import { checkChain, MOST_BETWEEN, type CheckedText } from '../domain/balance-chain';

export interface CheckedStretch {
  readonly checked: readonly CheckedText[];
  readonly stored: ReadonlyMap<string, StoredText>;
  /** Places, and unexamined texts without a balance, or in or next to a minute with too many texts. */
  readonly left: readonly Unexamined[];
  /** Those of them that are in or next to such a minute: the text behind them may be unchecked. */
  readonly uncovered: readonly Unexamined[];
}

/** Checks each part of the chain that new texts may have changed, once. */
export async function checkAround(
  stretchAround: (at: Date) => Promise<Stretch>,
  unexamined: readonly Unexamined[],
): Promise<CheckedStretch> {
  const checked = new Map<string, CheckedText>();
  const stored = new Map<string, StoredText>();
  const outside = new Set<string>();
  let lookedAtUntil = -Infinity;
  let range = { from: Infinity, to: -Infinity };
  for (const item of unexamined) {
    const at = item.at.getTime();
    if (at >= lookedAtUntil) {
      const stretch = await stretchAround(item.at);
      for (const text of stretch.texts) stored.set(text.id, text);
      const found = checkChain(stretch.texts, stretch.loose, stretch);
      lookedAtUntil = stretch.isEnd ? Infinity : Math.max(at + 1, effectsKnownUntil(found));
      // A new text beyond remains a work item: its effects may reach texts that are not among these.
      for (const each of found)
        if (each.at < lookedAtUntil || stored.get(each.id)?.continuity !== null) checked.set(each.id, each);
      range = {
        from: stretch.isBegin ? -Infinity : (found[0]?.at ?? Infinity),
        to: stretch.isEnd ? Infinity : (found.at(-1)?.at ?? -Infinity),
      };
    }
    if (at <= range.from || at >= range.to) outside.add(item.id);
  }
  const left = unexamined.filter(({ id }) => !checked.has(id));
  return { checked: [...checked.values()], stored, left, uncovered: left.filter(({ id }) => outside.has(id)) };
}

/** New texts before this time affect only texts that are among the checked ones. */
function effectsKnownUntil(checked: readonly CheckedText[]): number {
  const end = checked.at(-1 - MOST_BETWEEN)?.at ?? -Infinity;
  return checked.findLast(({ at }) => at < end)?.at ?? -Infinity;
}
