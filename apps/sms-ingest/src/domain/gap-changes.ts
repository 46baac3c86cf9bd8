import type { Gap } from './balance-chain';

/** A recorded gap before a text. */
export interface KnownGap extends Gap {
  readonly id: string;
  readonly smsEventId: string;
  readonly isOpen: boolean;
}

export interface GapChanges {
  readonly closed: readonly KnownGap[];
  readonly changed: readonly { readonly id: string; readonly smsEventId: string; readonly gap: Gap }[];
  readonly found: readonly { readonly smsEventId: string; readonly gap: Gap }[];
}

/**
 * The changes that make the recorded gaps equal the existing ones. A gap that a late text reduces or moves before
 * another text keeps its id, so that its readers see the remaining amount.
 */
export function gapChanges(
  known: readonly KnownGap[],
  checked: readonly { readonly id: string; readonly gap: Gap | null }[],
): GapChanges {
  const ids = new Set(checked.map(({ id }) => id));
  const there = new Map(checked.flatMap(({ id, gap }) => (gap === null ? [] : [[id, gap] as const])));
  const noted = new Map(known.map((each) => [each.smsEventId, each]));
  const openFirst = [...known].sort((one, other) => Number(other.isOpen) - Number(one.isOpen));
  const gone = openFirst.filter(({ smsEventId }) => !there.has(smsEventId));
  // What remains of the gap before a checked text is between its ends; a gap beside it is another one.
  const isPart = (each: KnownGap, gap: Gap) => (ids.has(each.smsEventId) ? contains(each, gap) : overlap(each, gap));
  const replaced: KnownGap[] = [];
  const found: { smsEventId: string; gap: Gap }[] = [];
  const changed: { id: string; smsEventId: string; gap: Gap }[] = [];
  for (const [smsEventId, gap] of there) {
    const same = noted.get(smsEventId);
    // The gap before a checked text was explained, unless it is part of the own one now.
    const mayMove = (each: KnownGap) => !ids.has(each.smsEventId) || (same !== undefined && !isAsNoted(same, gap));
    const moved = gone.findIndex((each) =>
      same === undefined ? isPart(each, gap) : mayMove(each) && replaces(each, same, gap),
    );
    const [kept = same] = moved < 0 ? [] : gone.splice(moved, 1);
    if (kept === undefined) found.push({ smsEventId, gap });
    else if (kept !== same || !isAsNoted(kept, gap)) changed.push({ id: kept.id, smsEventId, gap });
    if (same !== undefined && kept !== same) replaced.push(same);
  }
  return { closed: [...gone, ...replaced], changed, found };
}

function overlap(one: Gap, other: Gap): boolean {
  return one.from <= other.to && other.from <= one.to;
}

function contains(whole: Gap, part: Gap): boolean {
  return whole.from <= part.from && part.to <= whole.to;
}

/** A reported gap must not look explained while a gap that was not reported yet contains its money. */
function replaces(reported: KnownGap, same: KnownGap, gap: Gap): boolean {
  return reported.isOpen && !same.isOpen && contains(gap, reported);
}

function isAsNoted(noted: KnownGap, { amount, from, to }: Gap): boolean {
  return noted.amount === amount && noted.from === from && noted.to === to;
}
