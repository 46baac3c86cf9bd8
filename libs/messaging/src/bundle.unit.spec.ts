import { bodyOf, takeBundle } from './bundle';
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
  it('is what stands at the head of the queue for one address, in its order, and leaves the queue', () => {
    const queue = [anEntry('a'), anEntry('b'), anEntry('c', 'intent.paid.v1'), anEntry('d')];

    expect(
      [takeBundle(queue, 20), takeBundle(queue, 20), takeBundle(queue, 20), takeBundle(queue, 20)].map(ids),
    ).toEqual([['a', 'b'], ['c'], ['d'], undefined]);
    expect(queue).toEqual([]);
  });

  it('keeps what goes to one queue alone apart from what goes to everybody', () => {
    const queue = [
      anEntry('a'),
      anEntry('b', undefined, 'reconciler.control'),
      anEntry('c', undefined, 'reconciler.control'),
    ];

    expect([takeBundle(queue, 20), takeBundle(queue, 20)].map(ids)).toEqual([['a'], ['b', 'c']]);
  });

  it('has no more events than it may, and one of any size', () => {
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

  it('of one event is that event’s own body, of several an array of theirs', () => {
    expect([bodyOf(['{"a":1}']), bodyOf(['{"a":1}', '{"b":2}'])]).toEqual(['{"a":1}', '[{"a":1},{"b":2}]']);
  });
});
