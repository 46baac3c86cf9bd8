import type { Database } from '@pay/persistence';
import { createLogger, createMetrics } from '@pay/runtime';
import { eventually } from '@pay/testing';
import { EventSender } from './event-sender';
import { EventSignatures } from './event-signatures';
import { messagingMetrics } from './metrics';
import type { OutboxEntry } from './outbox';
import type { Outcome, OutgoingMessage, Publisher } from './publisher';
import { Relay } from './relay';
import type { Replayer } from './replay';
import { QUICK_TIMINGS } from './testing/quick-timings';
import { testEventKeys } from './testing/test-messaging';
import { namesIn } from './topology';

const ENTRY: OutboxEntry = {
  id: '0198a5a0-0000-7000-8000-000000000001',
  type: 'claim.submitted',
  routingKey: 'claim.submitted.v1',
  targetQueue: null,
  body: '{}',
};
const ROW = { ...ENTRY, seq: '1', routing_key: ENTRY.routingKey, target_queue: null };

describe('the sweeper', () => {
  it('does not publish again what was confirmed and marked while its claim was under way', async () => {
    const sent: string[] = [];
    let marked = false;
    const claims: ((rows: unknown[]) => void)[] = [];
    const publisher = {
      isWritable: true,
      on: () => publisher,
      send({ id }: OutgoingMessage, done: (outcome: Outcome) => void) {
        sent.push(id);
        done('confirmed');
      },
    } as unknown as Publisher;
    const db = {
      query: () => new Promise((resolve) => claims.push(resolve)),
      execute(_statement: unknown, [ids]: unknown[]) {
        marked ||= Array.isArray(ids) && ids.includes(ENTRY.id);
        return Promise.resolve(1);
      },
    } as unknown as Database;
    const log = createLogger({ service: 'spec', level: 'silent' });
    const relay = new Relay({
      ...{ db, publisher, log, timings: { ...QUICK_TIMINGS, markLingerMs: 1, sweepEveryMs: 1 } },
      checkEpoch: () => Promise.resolve(),
      replayer: { runDue: () => Promise.resolve() } as unknown as Replayer,
      sender: new EventSender(namesIn('spec.'), [
        { service: 'checkout-api', signatures: new EventSignatures('checkout-api', testEventKeys('checkout-api')) },
      ]),
      ...{ consumers: [], mostInBundle: 20, metrics: messagingMetrics(createMetrics('intent-api'), db) },
    });
    const stopping = new AbortController();
    relay.offer([ENTRY]);
    const ended = relay.worker().run(stopping.signal);
    await eventually(() => marked && claims.length === 1, 'the event is marked while the claim is out');

    claims[0]!([ROW]);
    await eventually(() => claims.length === 2, 'the sweeper goes on');
    stopping.abort();
    claims[1]!([]);
    await ended;

    expect(sent).toEqual([ENTRY.id]);
  });
});
