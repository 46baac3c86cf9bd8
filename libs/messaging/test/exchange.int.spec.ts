import { amqpUrl, eventually, failOnLeaks } from '@pay/testing';
import { depthOf, eventsWaiting, eventTap, sendRaw } from './support';
import type { Transaction } from '@pay/persistence';
import {
  aGate,
  anEvent,
  aPlace,
  aService,
  effects,
  idsOf,
  metricOf,
  publishAll,
  QUEUE,
  record,
  recording,
  unpublished,
  type Place,
  type RunningService,
} from './fixture';
import { anIntent } from './an-intent';

failOnLeaks();

describe('an event', () => {
  let place: Place;
  let service: RunningService;

  beforeAll(async () => {
    place = await aPlace();
    service = await aService(place);
    service.start(service.messaging.relay());
    service.start(service.messaging.consumer({ queue: QUEUE, handle: recording, batchSize: 15 }));
  });
  afterAll(async () => {
    await service.stop();
    expect(await depthOf(amqpUrl(), place.namespace, QUEUE)).toBe(0);
    await place.drop();
  });
  beforeEach(() => service.db.execute('truncate effects'));

  it('is handled once, in the order of commits, and marked as published', async () => {
    const events = Array.from({ length: 250 }, () => anEvent());

    for (let start = 0; start < 250; start += 50) await publishAll(service, events.slice(start, start + 50));

    await eventually(async () => (await effects(service.db)).length >= 250, 'all events are handled');
    await eventually(async () => (await unpublished(service.db)) === 0, 'all events are marked published');
    expect(await effects(service.db)).toEqual(idsOf(events));
  });

  it('is not published when its transaction is rolled back', async () => {
    const [never, later] = [anEvent(), anEvent()];
    const work = service.db.transaction(async (tx) => {
      await service.messaging.publish(tx, [never]);
      throw new Error('no');
    });

    await expect(work).rejects.toThrow('no');
    await publishAll(service, [later]);

    await eventually(async () => (await effects(service.db)).includes(later.id), 'the later event is handled');
    expect(await effects(service.db)).toEqual([later.id]);
    expect(await service.db.query('select id from outbox where id = $1', [never.id])).toEqual([]);
  });

  it('has one effect when two processes receive the same message a hundred times concurrently', async () => {
    const replica = await aService(place);
    replica.start(replica.messaging.consumer({ queue: QUEUE, handle: recording, batchSize: 7 }));
    const event = anEvent();
    const message = { body: JSON.stringify(event), options: { messageId: event.id } };
    const before = await metricOf(service, 'messaging_consumed_total', { outcome: 'duplicate' });

    await sendRaw(amqpUrl(), place.namespace, QUEUE, Array(100).fill(message));

    const duplicates = async () =>
      (await metricOf(service, 'messaging_consumed_total', { outcome: 'duplicate' })) -
      before +
      (await metricOf(replica, 'messaging_consumed_total', { outcome: 'duplicate' }));
    await eventually(async () => (await duplicates()) === 99, 'ninety-nine were recognised');
    expect(await effects(service.db)).toEqual([event.id]);
    await replica.stop();
  });

  it('is delivered to a single queue when it is addressed to that queue', async () => {
    const event = anIntent();

    await service.db.transaction((tx) => service.messaging.publish(tx, [event], { queue: 'checkout-api.events' }));

    await eventually(async () => (await unpublished(service.db)) === 0, 'it is published');
    expect(await depthOf(amqpUrl(), place.namespace, 'checkout-api.events')).toBe(1);
    expect(await effects(service.db)).toEqual([]);
  });

  it('waits for more events in a queue with a minimum interval, but not after a pause or with a full batch', async () => {
    const apart = await aPlace();
    const unhurried = await aService(apart);
    const batches: string[][] = [];
    unhurried.start(unhurried.messaging.relay());
    unhurried.start(
      unhurried.messaging.consumer({
        queue: QUEUE,
        batchSize: 2,
        // Longer than the test timeout.
        atMostEveryMs: 3_600_000,
        handle: (_tx, events) => {
          batches.push(idsOf(events));
          return Promise.resolve();
        },
      }),
    );
    const [first, second, third] = [anEvent(), anEvent(), anEvent()];

    await publishAll(unhurried, [first]);
    await eventually(() => batches.length === 1, 'the first is handled');
    await publishAll(unhurried, [second]);
    await eventually(async () => (await unpublished(unhurried.db)) === 0, 'the second is published');
    await eventually(async () => (await depthOf(amqpUrl(), apart.namespace, QUEUE)) === 0, 'the consumer has it');
    expect(batches).toEqual([[first.id]]);
    await publishAll(unhurried, [third]);
    await eventually(() => batches.length > 1, 'the second and the third are handled');

    expect(batches).toEqual([[first.id], [second.id, third.id]]);
    await unhurried.stop();
    await apart.drop();
  });

  it('can be published by a handler in the same transaction', async () => {
    const tap = await eventTap(amqpUrl(), place.namespace);
    const [question, answer] = [anIntent(), anEvent()];
    const chained = await aService(place, { consumesFor: ['checkout-api'] });
    chained.start(
      chained.messaging.consumer({
        queue: 'checkout-api.events',
        async handle(tx, events) {
          if (events.some(({ id }) => id === question.id)) await chained.messaging.publish(tx, [answer]);
        },
      }),
    );

    await service.db.transaction((tx) => service.messaging.publish(tx, [question], { queue: 'checkout-api.events' }));

    await eventually(() => tap.events.some((event) => event.id === answer.id), 'the answer is published');
    await tap.close();
    await chained.stop();
  });
});

describe('a service', () => {
  let place: Place;
  beforeAll(async () => (place = await aPlace()));
  afterAll(() => place.drop());

  it('that is stopped publishes and marks its committed events before it ends', async () => {
    const service = await aService(place);
    service.start(service.messaging.relay());
    await publishAll(service, [anEvent()]);
    await eventually(async () => (await unpublished(service.db)) === 0, 'messages flow');

    await publishAll(
      service,
      Array.from({ length: 1_200 }, () => anEvent()),
    );
    await service.stop();

    const after = await aService(place);
    expect(await unpublished(after.db)).toBe(0);
    await after.stop();
    expect(await eventsWaiting(amqpUrl(), place.namespace, QUEUE)).toBe(1_201);
  });
});

describe('a consumer', () => {
  let place: Place;
  beforeAll(async () => (place = await aPlace()));
  afterAll(() => place.drop());

  it('prepares in the transaction of its handler while the inbox is being queried', async () => {
    const service = await aService(place);
    const event = anEvent();
    const prepared = aGate();
    const transactionOf = async (tx: Transaction) =>
      (await tx.query<{ id: string }>('select pg_current_xact_id()::text as id'))[0]?.id;
    const seen: { prepared: string | undefined; handled: string | undefined }[] = [];
    const consumer = service.messaging.consumer({
      queue: QUEUE,
      prepare: (tx) => {
        void prepared.pass();
        return transactionOf(tx);
      },
      handle: async (tx, _, from) => {
        seen.push({ prepared: from, handled: await transactionOf(tx) });
      },
    });

    service.start(service.messaging.relay());
    service.start(consumer);
    // A query of the inbox for this message must wait until this transaction ends.
    await service.db.transaction(async (tx) => {
      await tx.execute('insert into inbox (consumer, message_id) values ($1, $2)', [QUEUE, event.id]);
      await publishAll(service, [event]);
      await prepared.arrived;
      await tx.execute('delete from inbox where message_id = $1', [event.id]);
    });

    await eventually(() => seen.length === 1, 'it is handled');
    expect(seen[0]?.prepared).toBe(seen[0]?.handled);
    await service.stop();
  });

  it('finishes and acknowledges the current batch when it is stopped, and returns the other messages', async () => {
    const service = await aService(place);
    let begun: () => void = () => undefined;
    const inHandler = new Promise<void>((resolve) => (begun = resolve));
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    service.start(service.messaging.relay());
    service.start(
      service.messaging.consumer({
        queue: QUEUE,
        batchSize: 10,
        async handle(tx, events) {
          await record(tx, events);
          begun();
          await released;
        },
      }),
    );
    const events = Array.from({ length: 30 }, () => anEvent());
    await publishAll(service, events);
    await inHandler;

    const stopping = service.stop();
    release();
    await stopping;

    const next = await aService(place);
    const done = await effects(next.db);
    expect(done.length).toBeGreaterThan(0);
    expect(await eventsWaiting(amqpUrl(), place.namespace, QUEUE)).toBe(30 - done.length);
    next.start(next.messaging.consumer({ queue: QUEUE, handle: recording }));
    await eventually(async () => (await effects(next.db)).length === 30, 'the next process handles the rest');
    expect((await effects(next.db)).sort()).toEqual(idsOf(events).sort());
    await next.stop();
  });

  it('receives the broadcasts of every process, including its own', async () => {
    const [one, two] = [await aService(place), await aService(place)];
    const received: string[] = [];
    one.messaging.broadcast.on('keys', (payload) => received.push(`one ${payload}`));
    two.messaging.broadcast.on('keys', (payload) => received.push(`two ${payload}`));

    await eventually(() => {
      one.messaging.broadcast.send('keys', 'look');
      one.messaging.broadcast.send('other', 'no');
      return new Set(received).size === 2;
    }, 'both processes hear it');

    expect(new Set(received)).toEqual(new Set(['one look', 'two look']));
    await Promise.all([one.stop(), two.stop()]);
  });
});
