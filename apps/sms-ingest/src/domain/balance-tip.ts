/** A stored text with a balance. */
export interface KnownText {
  readonly at: Date;
  readonly balance: bigint;
  readonly effects: readonly bigint[];
  readonly isDoubted: boolean;
}

/** A new text, with the stored texts of its chain around its time, in any order. */
export interface KnownPlace {
  readonly id: string;
  readonly chainId: string;
  readonly at: Date;
  readonly balance: bigint;
  readonly effects: readonly bigint[];
  /** The newest texts up to its time. */
  readonly known: readonly KnownText[];
  /** The oldest texts after its time. */
  readonly later: readonly KnownText[];
  /** Whether further later texts may exist. */
  readonly isLaterCut: boolean;
}

/**
 * The ids of new texts that begin their chain or continue an undoubted text of the same or previous minute, and that
 * lead to the texts after them; new texts may lead to each other. The balance worker checks doubtful texts again
 * shortly afterwards.
 */
export function fitAtOnce(places: readonly KnownPlace[]): string[] {
  const leads = leadsAmong(places);
  const leadsOn = waysAmong(places);
  const followers = new Map<string, KnownPlace[]>();
  const following: KnownPlace[] = [];
  for (const place of places) {
    const { known, fresh, isFirst } = leads(place);
    if (place.effects.length === 0) following.push(place);
    else if (!leadsOn(place)) continue;
    else if (isFirst || known.some(({ isDoubted }) => !isDoubted)) following.push(place);
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
  return ({ id, chainId, at, balance, effects, known, later }) => {
    const own = at.getTime();
    const times = [...(minutes.get(chainId) ?? []), ...known.map((other) => other.at.getTime())];
    const minuteBefore = Math.max(-Infinity, ...times.filter((time) => time < own));
    const befores = [...new Set(effects.map((effect) => balance - effect))];
    const near = known.filter((other) => other.at.getTime() >= minuteBefore && befores.includes(other.balance));
    const fresh = befores
      .flatMap((before) => [own, minuteBefore].flatMap((time) => byBalance.get(keyOf(chainId, time, before)) ?? []))
      .filter((other) => other.id !== id);
    const isFirst = later.length === 0 && known.length === 0 && minuteBefore === -Infinity && fresh.length === 0;
    return { known: near, fresh, isFirst };
  };
}

interface Step {
  readonly at: number;
  readonly balance: bigint;
  readonly effects: readonly bigint[];
  readonly isTrusted: boolean;
}

/**
 * Whether the balance of a new text leads to an undoubted text of a later time, minute by minute, over new and doubted
 * texts. A text that is dated back can continue an old balance, but not lead to the text that has continued it since.
 */
function waysAmong(places: readonly KnownPlace[]): (place: KnownPlace) => boolean {
  const fresh = new Map<string, KnownPlace[]>();
  for (const place of places) append(fresh, place.chainId, place);
  return (place) => {
    const { id, chainId, known, later, isLaterCut } = place;
    // If all later texts are doubted, a gap is before them, and texts that fill it are still arriving.
    if (!isLaterCut && later.every(({ isDoubted }) => isDoubted)) return true;
    const own = place.at.getTime();
    const steps: Step[] = [
      ...[...known, ...later].map((text) => stepOf(text, !text.isDoubted)),
      ...(fresh.get(chainId) ?? []).filter((other) => other.id !== id).map((text) => stepOf(text, false)),
    ].filter(({ at }) => at >= own);
    return leadsToTrusted(stepOf(place, false), steps);
  };
}

function stepOf({ at, balance, effects }: Omit<KnownText, 'isDoubted'>, isTrusted: boolean): Step {
  return { at: at.getTime(), balance, effects, isTrusted };
}

function leadsToTrusted(start: Step, steps: readonly Step[]): boolean {
  const left = new Set(steps);
  const reached = [start];
  for (const from of reached) {
    if (from.isTrusted) return true;
    const minuteAfter = Math.min(Infinity, ...steps.map(({ at }) => at).filter((at) => at > from.at));
    for (const to of left) {
      if (to.at !== from.at && to.at !== minuteAfter) continue;
      // The balance before a text is unknown if its effect is.
      if (to.effects.length > 0 && !to.effects.some((effect) => to.balance - effect === from.balance)) continue;
      left.delete(to);
      reached.push(to);
    }
  }
  return false;
}

function append<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
