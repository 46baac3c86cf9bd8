import type { OutboxEntry } from './outbox';

const MOST_BYTES = 64 * 1024;

/** Events of one message: one type, one destination, in commit order. */
export type Bundle = readonly [OutboxEntry, ...OutboxEntry[]];

/**
 * Takes the events at the head of the queue that fit into one message. Only consecutive events are bundled, so that
 * consumers receive them in commit order while their queues confirm fast enough.
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
