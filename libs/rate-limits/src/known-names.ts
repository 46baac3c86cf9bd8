import { Generations } from './generations';

const MOST_NAMES = 100_000;
const KEEP_MS = 600_000;

export interface KnownNames {
  note(name: string): void;
  has(name: string): boolean;
}

export function knownNames(clock: () => number): KnownNames {
  const names = new Generations<true>({ most: MOST_NAMES, keepMs: KEEP_MS });
  return {
    note(name) {
      const now = clock();
      if (names.get(name, now) === undefined) names.set(name, true, now);
    },
    has: (name) => names.get(name, clock()) !== undefined,
  };
}
