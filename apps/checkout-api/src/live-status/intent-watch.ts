import type { IntentCopy } from '../domain/intent-copy';

/** How often a waiting request looks for itself: the event may have gone to another replica. */
const POLL_MS = 100;

export interface IntentWatch {
  /** Tells waiting requests of this process that these copies have been committed. */
  announce(copies: readonly IntentCopy[]): void;
  /** The first copy of an intent that satisfies the condition, or undefined when none did in time. */
  until(id: string, isSo: (copy: IntentCopy) => boolean, timeoutMs: number): Promise<IntentCopy | undefined>;
}

/** Lets requests wait for what the consumer commits. `find` reads the copy from the database. */
export function intentWatch(find: (id: string) => Promise<IntentCopy | undefined>): IntentWatch {
  const waiting = new Map<string, Set<(copy: IntentCopy) => void>>();

  return {
    announce(copies) {
      for (const copy of copies) for (const tell of waiting.get(copy.intent.id) ?? []) tell(copy);
    },
    until(id, isSo, timeoutMs) {
      return new Promise((resolve) => {
        const listeners = waiting.get(id) ?? new Set();
        waiting.set(id, listeners);
        let finished = false;
        const finish = (copy: IntentCopy | undefined) => {
          if (finished) return;
          finished = true;
          clearInterval(poll);
          clearTimeout(deadline);
          listeners.delete(consider);
          if (listeners.size === 0) waiting.delete(id);
          resolve(copy);
        };
        const consider = (copy: IntentCopy) => {
          if (isSo(copy)) finish(copy);
        };
        const look = () => {
          // A failed look is one of many: the event or the next look brings the answer, else the deadline does.
          find(id).then(
            (copy) => copy && consider(copy),
            () => undefined,
          );
        };
        const poll = setInterval(look, POLL_MS);
        const deadline = setTimeout(() => finish(undefined), timeoutMs);
        listeners.add(consider);
        look();
      });
    },
  };
}
