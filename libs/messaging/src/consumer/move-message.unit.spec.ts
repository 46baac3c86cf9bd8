import { createLogger, createMetrics } from '@pay/runtime';
import { movableTogether, moveToOverflow, type MoveDeps } from './move-message';
import { readDeliveries, type Delivery } from './delivery';
import { EventSignatures } from '../broker/event-signatures';
import { messagingMetrics } from '../metrics';
import type { OutgoingMessage } from '../broker/publisher';
import { testEventKeys } from '../../test/support';
import { namesIn } from '../broker/topology';

const silent = createLogger({ service: 'spec', level: 'silent' });

function aDelivery(id: string, { tries = 0, routingKey = 'sms.parsed.v1' } = {}): Delivery {
  const [delivery] = readDeliveries(
    {
      content: Buffer.from(`{"id":"${id}"}`),
      fields: { routingKey },
      properties: { messageId: id, type: 'sms.parsed', headers: { 'x-tries': tries } },
    } as unknown as Parameters<typeof readDeliveries>[0],
    new Date('2026-11-21T10:00:00Z'),
  );
  return delivery!;
}

const idsOf = (bundles: readonly (readonly Delivery[])[]) => bundles.map((bundle) => bundle.map(({ id }) => id));

describe('a message that is moved to the overflow queue', () => {
  it('is bundled with consecutive messages of the same type and history, up to the maximum', () => {
    const [a, b, c] = [aDelivery('a'), aDelivery('b'), aDelivery('c')];
    const tried = aDelivery('d', { tries: 2 });
    const replayed = aDelivery('e', { routingKey: 'reconciler.events' });

    expect(idsOf(movableTogether([a, b, c, tried, replayed], 2))).toEqual([['a', 'b'], ['c'], ['d'], ['e']]);
  });

  it('is sent alone while bundles are switched off', () => {
    expect(idsOf(movableTogether([aDelivery('a'), aDelivery('b')], 1))).toEqual([['a'], ['b']]);
  });

  it('keeps its bytes, history and order, and states the number of its events', async () => {
    const sent: OutgoingMessage[] = [];
    const deps: MoveDeps = {
      publisher: {
        confirmed: (message) => {
          sent.push(message);
          return Promise.resolve();
        },
      },
      names: namesIn('spec.'),
      queue: 'reconciler.events',
      mostInBundle: 20,
      signatures: new EventSignatures('reconciler', testEventKeys('reconciler')),
      log: silent,
      metrics: messagingMetrics(createMetrics('reconciler'), { query: () => Promise.resolve([]) }, silent),
    };

    await moveToOverflow(deps, [aDelivery('a', { tries: 3 }), aDelivery('b', { tries: 3 })]);
    await moveToOverflow(deps, [aDelivery('c')]);

    expect(sent.map(({ routingKey, body }) => [routingKey, body.toString()])).toEqual([
      ['spec.reconciler.events.crowd', '[{"id":"a"},{"id":"b"}]'],
      ['spec.reconciler.events.crowd', '{"id":"c"}'],
    ]);
    expect(sent[0]?.headers).toMatchObject({ 'x-events': 2, 'x-tries': 3, 'x-original-routing-key': 'sms.parsed.v1' });
    expect(sent[1]?.headers).not.toHaveProperty('x-events');
  });
});
