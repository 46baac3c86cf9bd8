import type { IntentCopy } from '../domain/intent-copy';

/** Waiting requests also poll, because another replica may have consumed the event. */
const POLL_MS = 100;

export interface IntentWatch {
  /** Call it after the copies are committed. */
  announce(copies: readonly IntentCopy[]): void;
  /** The first copy that satisfies the condition; undefined after the timeout. */
  until(id: string, isSo: (copy: IntentCopy) => boolean, timeoutMs: number): Promise<IntentCopy | undefined>;
}

/** `find` reads the copy from the database. */
export function intentWatch(find: (id: string) => Promise<IntentCopy | undefined>): IntentWatch {
  const waiting = new Map<string, Set<(copy: IntentCopy) => void>>();

  return {
    announce(copies) {
      for (const copy of copies) for (const notifyWatcher of waiting.get(copy.intent.id) ?? []) notifyWatcher(copy);
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
          // A failed read is not an error, because the event, the next read or the deadline follows.
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
