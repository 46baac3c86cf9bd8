import { bodyOf } from '../broker/message-format';
import { takeBundle } from './bundle';
import type { OutboxEntry } from './outbox';

function anEntry(
  id: string,
  routingKey = 'intent.created.v1',
  targetQueue: string | null = null,
  body = `"${id}"`,
): OutboxEntry {
  return { id, type: routingKey, routingKey, targetQueue, body };
}

const ids = (bundle: readonly OutboxEntry[] | undefined) => bundle?.map(({ id }) => id);

describe('a bundle', () => {
  it('contains the first events for one destination, in order, and removes them from the queue', () => {
    const queue = [anEntry('a'), anEntry('b'), anEntry('c', 'intent.paid.v1'), anEntry('d')];

    expect(
      [takeBundle(queue, 20), takeBundle(queue, 20), takeBundle(queue, 20), takeBundle(queue, 20)].map(ids),
    ).toEqual([['a', 'b'], ['c'], ['d'], undefined]);
    expect(queue).toEqual([]);
  });

  it('separates events for a single queue from events for all queues', () => {
    const queue = [
      anEntry('a'),
      anEntry('b', undefined, 'reconciler.control'),
      anEntry('c', undefined, 'reconciler.control'),
    ];

    expect([takeBundle(queue, 20), takeBundle(queue, 20)].map(ids)).toEqual([['a'], ['b', 'c']]);
  });

  it('has at most the maximum number of events and bytes, or one event of any size', () => {
    const queue = [anEntry('a'), anEntry('b'), anEntry('c')];
    expect(ids(takeBundle(queue, 2))).toEqual(['a', 'b']);

    const large = 'x'.repeat(60_000);
    const heavy = [
      anEntry('d', undefined, null, large + large),
      anEntry('e', undefined, null, large),
      anEntry('f', undefined, null, large),
    ];
    expect([takeBundle(heavy, 20), takeBundle(heavy, 20), takeBundle(heavy, 20)].map(ids)).toEqual([
      ['d'],
      ['e'],
      ['f'],
    ]);
  });

  it('of one event is the body of that event, and of several events an array of their bodies', () => {
    expect([bodyOf(['{"a":1}']), bodyOf(['{"a":1}', '{"b":2}'])]).toEqual(['{"a":1}', '[{"a":1},{"b":2}]']);
  });
});
