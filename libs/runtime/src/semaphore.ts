export interface SemaphoreOptions {
  readonly mostAtOnce: number;
  /** Maximum number of waiting callers, in total and per owner, and the error for further ones. Default: unlimited. */
  readonly waiting?: { readonly most: number; readonly mostPerOwner?: number; readonly refuse: () => Error };
}

export type Semaphore = <Result>(work: () => Promise<Result>, owner?: string) => Promise<Result>;

/** Alternates between waiting owners, so that thousands of tasks of one owner do not delay another one. */
export function semaphore({ mostAtOnce, waiting }: SemaphoreOptions): Semaphore {
  /** Owners in the order of their turns. */
  const owners = new Map<string, (() => void)[]>();
  let running = 0;
  let waitingNow = 0;

  function done(): void {
    running -= 1;
    const [next] = owners;
    if (next === undefined) return;
    const [owner, queue] = next;
    owners.delete(owner);
    const first = queue.shift();
    if (queue.length > 0) owners.set(owner, queue);
    waitingNow -= 1;
    first?.();
  }

  function start<Result>(work: () => Promise<Result>): Promise<Result> {
    running += 1;
    return work().finally(done);
  }

  return (work, owner = '') => {
    if (running < mostAtOnce) return start(work);
    const queue = owners.get(owner) ?? [];
    if (waiting !== undefined && (waitingNow >= waiting.most || queue.length >= (waiting.mostPerOwner ?? Infinity)))
      return Promise.reject(waiting.refuse());
    waitingNow += 1;
    return new Promise((resolve, reject) => {
      queue.push(() => void start(work).then(resolve, reject));
      owners.set(owner, queue);
    });
  };
}
