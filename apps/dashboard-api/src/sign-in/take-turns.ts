import { ApiError } from '@pay/http';

/** Lets a few pieces of work run at once and a bounded number wait; whoever comes then is sent away with a 503. */
export function takeTurns({ atOnce, waiting }: { atOnce: number; waiting: number }) {
  const queue: (() => void)[] = [];
  let running = 0;

  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running < atOnce) running += 1;
    else {
      if (queue.length >= waiting) throw new ApiError('SERVICE_UNAVAILABLE', undefined, { 'Retry-After': '1' });
      await new Promise<void>((begin) => queue.push(begin));
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      // The place is handed over, so that nobody slips in between.
      if (next) next();
      else running -= 1;
    }
  };
}
