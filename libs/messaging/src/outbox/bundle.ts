import type { OutboxEntry } from './outbox';

const MOST_BYTES = 64 * 1024;

/** Events that travel as one message: of one type, to one address, in the order in which they were committed. */
export type Bundle = readonly [OutboxEntry, ...OutboxEntry[]];

/**
 * Takes from the head of the queue what can travel together. Only neighbours do, so that nothing overtakes anything: a
 * consumer gets events in the order in which they were committed, as long as their queues confirm fast enough.
 */
export function takeBundle(queue: OutboxEntry[], most: number): Bundle | undefined {
  const [first] = queue;
  if (first === undefined) return undefined;
  let count = 1;
  let bytes = first.body.length;
  for (; count < most; count += 1) {
    const next = queue[count];
    if (next?.routingKey !== first.routingKey || next.targetQueue !== first.targetQueue) break;
    bytes += next.body.length;
    if (bytes > MOST_BYTES) break;
  }
  const [, ...others] = queue.splice(0, count);
  return [first, ...others];
}

/** One event is its own body; several are a JSON array. */
export function bodyOf(bodies: readonly string[]): string {
  return bodies.length === 1 ? (bodies[0] ?? '') : `[${bodies.join(',')}]`;
}
