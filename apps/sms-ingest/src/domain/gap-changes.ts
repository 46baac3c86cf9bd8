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
  const there = new Map(checked.flatMap(({ id, gap }) => (gap === null ? [] : [[id, gap] as const])));
  const noted = new Map(known.map((each) => [each.smsEventId, each]));
  const gone = known.filter(({ smsEventId }) => !there.has(smsEventId));
  const found: { smsEventId: string; gap: Gap }[] = [];
  const changed: { id: string; smsEventId: string; gap: Gap }[] = [];
  for (const [smsEventId, gap] of there) {
    const same = noted.get(smsEventId);
    if (same !== undefined) {
      const isAsNoted = same.amount === gap.amount && same.from === gap.from && same.to === gap.to;
      if (!isAsNoted) changed.push({ id: same.id, smsEventId, gap });
      continue;
    }
    const moved = gone.findIndex((each) => each.from <= gap.to && gap.from <= each.to);
    const [earlier] = moved < 0 ? [] : gone.splice(moved, 1);
    if (earlier === undefined) found.push({ smsEventId, gap });
    else changed.push({ id: earlier.id, smsEventId, gap });
  }
  return { closed: gone, changed, found };
}
