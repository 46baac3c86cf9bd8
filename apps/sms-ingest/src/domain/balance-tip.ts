/** A new text, with the newest texts of its chain up to its time, newest first. */
export interface KnownPlace {
  readonly id: string;
  readonly chainId: string;
  readonly at: Date;
  readonly balance: bigint;
  readonly effects: readonly bigint[];
  readonly known: readonly { readonly at: Date; readonly balance: bigint; readonly isDoubted: boolean }[];
}

/**
 * The ids of new texts that are first in their chain or continue an undoubted text of the same or previous minute; new
 * texts may lead to each other. The balance worker checks doubtful texts again shortly afterwards.
 */
export function followsAtOnce(places: readonly KnownPlace[]): string[] {
  const following = new Set<string>();
  for (let grew = true; grew;) {
    const before = following.size;
    for (const place of places)
      if (!following.has(place.id) && follows(place, places, following)) following.add(place.id);
    grew = following.size > before;
  }
  return [...following];
}

function follows(place: KnownPlace, places: readonly KnownPlace[], following: ReadonlySet<string>): boolean {
  const { effects, known, at, balance } = place;
  if (effects.length === 0) return true;
  const company = places
    .filter((other) => other.id !== place.id && other.chainId === place.chainId && other.at <= at)
    .map((other) => ({ at: other.at, balance: other.balance, isDoubted: !following.has(other.id) }));
  const around = [...known, ...company];
  const minuteBefore = Math.max(
    -Infinity,
    ...around.map((other) => other.at.getTime()).filter((time) => time < at.getTime()),
  );
  const leads = around.filter(
    (other) => other.at.getTime() >= minuteBefore && effects.includes(balance - other.balance),
  );
  const beginsChain = known.length === 0 && minuteBefore === -Infinity && leads.length === 0;
  return beginsChain || leads.some(({ isDoubted }) => !isDoubted);
}
