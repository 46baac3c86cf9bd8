import type { Database } from '@pay/persistence';
import { createLogger, createMetrics } from '@pay/runtime';
import { eventually } from '@pay/testing';
import { EventSender } from '../broker/event-sender';
import { EventSignatures } from '../broker/event-signatures';
import { messagingMetrics } from '../metrics';
import type { OutboxEntry } from './outbox';
import type { Outcome, OutgoingMessage, Publisher } from '../broker/publisher';
import { Relay } from './relay';
import type { Replayer } from './replay';
import { QUICK_TIMINGS } from '../../test/support/quick-timings';
import { testEventKeys } from '../../test/support/test-messaging';
import { namesIn } from '../broker/topology';

const ENTRY: OutboxEntry = {
  id: '0198a5a0-0000-7000-8000-000000000001',
  type: 'claim.submitted',
  routingKey: 'claim.submitted.v1',
  targetQueue: null,
  body: '{}',
};
const ROW = { ...ENTRY, seq: '1', routing_key: ENTRY.routingKey, target_queue: null };

describe('the sweeper', () => {
  it('does not publish an event again that was confirmed and marked while the sweeper claimed it', async () => {
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
      db,
      publisher,
      log,
      timings: { ...QUICK_TIMINGS, markLingerMs: 1, sweepEveryMs: 1 },
      checkEpoch: () => Promise.resolve(),
      replayer: { runDue: () => Promise.resolve() } as unknown as Replayer,
      sender: new EventSender(namesIn('spec.'), [
        { service: 'checkout-api', signatures: new EventSignatures('checkout-api', testEventKeys('checkout-api')) },
      ]),
      consumers: [],
      mostInBundle: 20,
      metrics: messagingMetrics(createMetrics('intent-api'), db, log),
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

describe('a queue that does not confirm', () => {
  const stored = (type: string, count: number): OutboxEntry[] =>
    Array.from({ length: count }, (_, place) => ({
      id: `${type} ${place}`,
      type,
      routingKey: `${type}.v1`,
      targetQueue: null,
      body: '{}',
    }));

  function aRelay() {
    const unanswered: { type: string | undefined; done: (outcome: Outcome) => void }[] = [];
    const publisher = {
      isWritable: true,
      on: () => publisher,
      send: ({ type }: OutgoingMessage, done: (outcome: Outcome) => void) => void unanswered.push({ type, done }),
    } as unknown as Publisher;
    const log = createLogger({ service: 'spec', level: 'silent' });
    const db = { execute: () => Promise.resolve(1) } as unknown as Database;
    const relay = new Relay({
      db,
      publisher,
      log,
      timings: QUICK_TIMINGS,
      consumers: [],
      mostInBundle: 1,
      checkEpoch: () => Promise.resolve(),
      replayer: { runDue: () => Promise.resolve() } as unknown as Replayer,
      sender: new EventSender(namesIn('spec.'), [
        { service: 'intent-api', signatures: new EventSignatures('intent-api', testEventKeys('intent-api')) },
      ]),
      metrics: messagingMetrics(createMetrics('intent-api'), db, log),
    });
    const typesUnanswered = () => unanswered.map(({ type }) => type);
    return { relay, unanswered, typesUnanswered };
  }

  it('has at most 20 unconfirmed messages, and events for other queues are still sent', () => {
    const { relay, typesUnanswered } = aRelay();

    relay.offer(stored('api_key.used', 100));
    relay.offer(stored('intent.method_selected', 5));

    const types = typesUnanswered();
    expect(types.filter((type) => type === 'api_key.used')).toHaveLength(20);
    expect(types.filter((type) => type === 'intent.method_selected')).toHaveLength(5);
    expect(relay.isBusy('dashboard-api.events')).toBe(true);
    expect(relay.isBusy('reconciler.events')).toBe(false);
  });

  it('receives the delayed events after it confirms, alternating between event types', () => {
    const { relay, unanswered, typesUnanswered } = aRelay();
    relay.offer(stored('intent.created', 60));
    relay.offer(stored('intent.paid', 60));

    for (const { done } of unanswered.splice(0, 20)) done('confirmed');

    const types = typesUnanswered();
    expect(types).toHaveLength(20);
    expect(types.filter((type) => type === 'intent.paid')).toHaveLength(10);
    while (unanswered.length > 0) unanswered.shift()?.done('confirmed');
    expect(relay.isBusy('checkout-api.events')).toBe(false);
  });

  it('loses no delayed event when the channel breaks', async () => {
    const { relay, unanswered, typesUnanswered } = aRelay();
    relay.offer(stored('api_key.used', 45));

    for (const { done } of unanswered.splice(0)) done('lost');
    await eventually(() => unanswered.length === 20, 'they are sent again');

    let sent = 0;
    for (; unanswered.length > 0; sent += 1) unanswered.shift()?.done('confirmed');
    expect(sent).toBe(45);
    expect(typesUnanswered()).toEqual([]);
  });
});
