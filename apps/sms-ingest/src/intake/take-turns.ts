interface Waiting {
  readonly start: () => void;
}

/**
 * Hands items on, no more than so many at a time; when more wait, owners take turns, one item each. So a few of one owner never stand behind
 * thousands of another.
 */
export function takeTurns<Item, Result>(options: {
  readonly mostAtOnce: number;
  readonly ownerOf: (item: Item) => string;
  readonly run: (item: Item) => Promise<Result>;
}): (item: Item) => Promise<Result> {
  const { mostAtOnce, ownerOf, run } = options;
  /** In the order of their turns. */
  const owners = new Map<string, Waiting[]>();
  let running = 0;

  function done(): void {
    running -= 1;
    const [next] = owners;
    if (next === undefined) return;
    const [owner, queue] = next;
    owners.delete(owner);
    const first = queue.shift();
    if (queue.length > 0) owners.set(owner, queue);
    first?.start();
  }

  function start(item: Item): Promise<Result> {
    running += 1;
    return run(item).finally(done);
  }

  return (item) => {
    if (running < mostAtOnce) return start(item);
    return new Promise<Result>((resolve, reject) => {
      const owner = ownerOf(item);
      const queue = owners.get(owner) ?? [];
      queue.push({ start: () => void start(item).then(resolve, reject) });
      owners.set(owner, queue);
    });
  };
}
