/** A new text, with the newest texts of its chain up to its time, newest first. */
export interface KnownPlace {
  readonly id: string;
  readonly chainId: string;
  readonly at: Date;
  readonly balance: bigint;
  readonly effects: readonly bigint[];
  readonly known: readonly { readonly at: Date; readonly balance: bigint; readonly isDoubted: boolean }[];
  /** Whether the chain contains a known text of a later time. */
  readonly isBeforeKnown: boolean;
}

/**
 * The ids of new texts that begin their chain or continue an undoubted text of the same or previous minute; new texts
 * may lead to each other. The balance worker checks doubtful texts again shortly afterwards.
 */
export function followsAtOnce(places: readonly KnownPlace[]): string[] {
  const leads = leadsAmong(places);
  const followers = new Map<string, KnownPlace[]>();
  const following: KnownPlace[] = [];
  for (const place of places) {
    const { known, fresh, isFirst } = leads(place);
    if (place.effects.length === 0 || isFirst || known.some(({ isDoubted }) => !isDoubted)) following.push(place);
    else for (const { id } of fresh) append(followers, id, place);
  }
  const accepted = new Set(following.map(({ id }) => id));
  for (const { id } of following) {
    for (const follower of followers.get(id) ?? []) {
      if (accepted.has(follower.id)) continue;
      accepted.add(follower.id);
      following.push(follower);
    }
  }
  return [...accepted];
}

interface Leads {
  readonly known: KnownPlace['known'];
  readonly fresh: readonly KnownPlace[];
  /** Whether the text begins its chain. */
  readonly isFirst: boolean;
}

/** Finds the texts of the same or previous minute whose balance a new text continues. */
function leadsAmong(places: readonly KnownPlace[]): (place: KnownPlace) => Leads {
  const minutes = new Map<string, number[]>();
  const byBalance = new Map<string, KnownPlace[]>();
  const keyOf = (chainId: string, at: number, balance: bigint) => `${chainId} ${at} ${balance}`;
  for (const place of places) {
    const at = place.at.getTime();
    append(minutes, place.chainId, at);
    append(byBalance, keyOf(place.chainId, at, place.balance), place);
  }
  return ({ id, chainId, at, balance, effects, known, isBeforeKnown }) => {
    const own = at.getTime();
    const times = [...(minutes.get(chainId) ?? []), ...known.map((other) => other.at.getTime())];
    const minuteBefore = Math.max(-Infinity, ...times.filter((time) => time < own));
    const befores = [...new Set(effects.map((effect) => balance - effect))];
    const near = known.filter((other) => other.at.getTime() >= minuteBefore && befores.includes(other.balance));
    const fresh = befores
      .flatMap((before) => [own, minuteBefore].flatMap((time) => byBalance.get(keyOf(chainId, time, before)) ?? []))
      .filter((other) => other.id !== id);
    const isFirst = !isBeforeKnown && known.length === 0 && minuteBefore === -Infinity && fresh.length === 0;
    return { known: near, fresh, isFirst };
  };
}

function append<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
