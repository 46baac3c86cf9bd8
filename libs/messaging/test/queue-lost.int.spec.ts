import { eventsOf, type EventOf } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import { amqpUrl, eventually, failOnLeaks } from '@pay/testing';
import { draft, replayCli } from '../src';
import { depthOf, eventsWaiting, onBroker } from './support';
import { namesIn } from '../src/broker/topology';
import {
  aGate,
  aPlace,
  aService,
  effects,
  idsOf,
  metricOf,
  publishAll,
  QUEUE,
  startControl,
  unpublished,
  type Place,
  type RunningService,
} from './fixture';
import { anIntent } from './an-intent';

failOnLeaks();

async function recordIntents(tx: Transaction, events: readonly EventOf[]): Promise<void> {
  const ids = eventsOf(events, 'intent.created').map((event) => event.id);
  await tx.execute('insert into effects (event_id) select unnest($1::uuid[])', [ids]);
}

async function deleteQueue(place: Place, queue: string): Promise<void> {
  await onBroker(amqpUrl(), (channel) => channel.deleteQueue(namesIn(place.namespace).work(queue)));
}

describe('a queue', () => {
  let place: Place;
  let other: Place;
  beforeEach(async () => {
    place = await aPlace('intent-api');
    other = await aPlace('reconciler', place.namespace);
  });
  afterEach(async () => {
    await other.drop();
    await place.drop();
  });

  it('that is deleted while it is consumed receives its messages again and those published meanwhile', async () => {
    const publisher = await aService(place);
    publisher.start(publisher.messaging.relay());
    startControl(publisher, 'intent-api.control');
    const consumer = await aService(other, { service: 'reconciler' });
    consumer.start(consumer.messaging.relay());
    const gate = aGate();
    const meanwhile = Array.from({ length: 10 }, () => anIntent());
    const first = anIntent();
    consumer.start(
      consumer.messaging.consumer({
        queue: QUEUE,
        batchSize: 5,
        async handle(tx, events) {
          await recordIntents(tx, events);
          if (events.every((event) => event.id !== first.id)) await gate.pass();
        },
      }),
    );
    await publishAll(publisher, [first]);
    await eventually(async () => (await effects(consumer.db)).length === 1, 'messages flow');
    const held = Array.from({ length: 39 }, () => anIntent());
    await publishAll(publisher, held);
    await gate.arrived;

    // The busy consumer cannot declare it again before its batch ends.
    await deleteQueue(place, QUEUE);
    await publishAll(publisher, meanwhile);
    await eventually(async () => (await unpublished(publisher.db)) === 0, 'the publisher believes all to be well');
    gate.open();

    await eventually(async () => new Set(await effects(consumer.db)).size === 50, 'all events are handled');
    expect((await effects(consumer.db)).sort()).toEqual(idsOf([first, ...held, ...meanwhile]).sort());
    await consumer.stop();
    await publisher.stop();
    expect(await depthOf(amqpUrl(), place.namespace, `${QUEUE}.parked`)).toBe(0);
  });

  it('that did not exist when an event was published receives the event when it is declared', async () => {
    const publisher = await aService(place);
    publisher.start(publisher.messaging.relay());
    startControl(publisher, 'intent-api.control');
    await publishAll(publisher, [anIntent()]);
    await eventually(async () => (await unpublished(publisher.db)) === 0, 'the topology is there');
    await deleteQueue(place, QUEUE);
    const before = Array.from({ length: 10 }, () => anIntent());
    await publishAll(publisher, before);
    await eventually(async () => (await unpublished(publisher.db)) === 0, 'the publisher believes all to be well');

    const consumer = await aService(other, { service: 'reconciler' });
    consumer.start(consumer.messaging.relay());
    consumer.start(consumer.messaging.consumer({ queue: QUEUE, handle: recordIntents }));

    await eventually(async () => (await effects(consumer.db)).length >= 11, 'all events are handled');
    expect(await effects(consumer.db)).toEqual(expect.arrayContaining(idsOf(before)));
    expect(new Set(await effects(consumer.db)).size).toBe(11);
    expect(await effects(consumer.db)).toHaveLength(11);
    await consumer.stop();
    await publisher.stop();
  });

  it('whose declaration was interrupted before its replay was requested is replayed by the next process', async () => {
    const publisher = await aService(place);
    publisher.start(publisher.messaging.relay());
    startControl(publisher, 'intent-api.control');
    const event = anIntent();
    await publishAll(publisher, [event]);
    await eventually(async () => (await unpublished(publisher.db)) === 0, 'the topology is there');
    await onBroker(amqpUrl(), (channel) => channel.purgeQueue(namesIn(place.namespace).work(QUEUE)));
    const consumer = await aService(other, { service: 'reconciler' });
    await consumer.db.execute('insert into queue_repairs (queue) values ($1)', [QUEUE]);

    consumer.start(consumer.messaging.relay());
    consumer.start(consumer.messaging.consumer({ queue: QUEUE, handle: recordIntents }));

    await eventually(async () => (await effects(consumer.db)).includes(event.id), 'the event is handled again');
    expect(await consumer.db.query('select queue from queue_repairs')).toEqual([]);
    await consumer.stop();
    await publisher.stop();
  });
});

describe('a queue that no event is published to', () => {
  it.each(['parked', 'retry.5m'])('is made again without a replay when it was deleted: %s', async (part) => {
    const place = await aPlace('reconciler');
    const service = await aService(place, { service: 'reconciler' });
    service.start(service.messaging.relay());
    const { namespace } = place;
    await eventually(() => isReached(service), 'the first process has declared everything');
    await onBroker(amqpUrl(), (channel) => channel.deleteQueue(`${namespace}${QUEUE}.${part}`));

    const next = await aService(place, { service: 'reconciler' });
    next.start(next.messaging.relay());

    await eventually(() => isThere(namespace, `${QUEUE}.${part}`), 'it is made again');
    await eventually(() => isReached(next), 'the next process has declared everything');
    // Every queue was new at the first start.
    for (const repaired of ['queues', 'bindings'])
      expect(await next.metrics.registry.metrics()).toContain(
        `messaging_${repaired}_repaired_total{queue="${QUEUE}",service="reconciler"} 0`,
      );
    expect(await next.db.query('select queue from queue_repairs')).toEqual([]);
    await next.stop();
    await service.stop();
    await place.drop();
  });
});

const isThere = (namespace: string, queue: string) =>
  onBroker(amqpUrl(), (channel) => channel.checkQueue(`${namespace}${queue}`)).then(
    () => true,
    () => false,
  );

function isReached({ messaging }: RunningService): boolean {
  try {
    messaging.checks.broker();
    return true;
  } catch {
    return false;
  }
}

describe('a replay', () => {
  it('is limited in its rate, and publishes nothing after it is stopped', async () => {
    const place = await aPlace();
    // The second batch would come after 500 seconds.
    const service = await aService(place, { timings: { replayedPerSecond: 1 } });
    service.start(service.messaging.relay());
    await publishAll(
      service,
      Array.from({ length: 700 }, () => anIntent()),
    );
    await eventually(async () => (await unpublished(service.db)) === 0, 'all are published');
    const run = async (...args: string[]) => {
      let text = '';
      const code = await replayCli(args, { DATABASE_URL: place.databaseUrl }, (part) => (text += part));
      return { code, text };
    };
    await run('request', 'intent-api', '--since=2026-01-01T00:00:00Z', `--queue=${QUEUE}`);
    await eventually(async () => /, 500 events, at /.test((await run('status')).text), 'a batch is published');
    expect(await metricOf(service, 'messaging_open_replays', {})).toBe(1);

    expect(await run('stop', `--queue=${QUEUE}`)).toMatchObject({
      code: 0,
      text: expect.stringMatching(/, 500 events, stopped at /),
    });

    await service.db.execute('update outbox_replays set next_run_at = now()');
    expect(await run('stop', `--queue=${QUEUE}`)).toEqual({ code: 1, text: `There is no open replay to ${QUEUE}.\n` });
    expect(await metricOf(service, 'messaging_open_replays', {})).toBe(0);
    expect(await eventsWaiting(amqpUrl(), place.namespace, QUEUE)).toBe(1_200);
    await service.stop();
    await place.drop();
  });

  it('of more than one batch reaches its queue completely and no other queue', async () => {
    const place = await aPlace();
    const service = await aService(place);
    service.start(service.messaging.relay());
    const events = Array.from({ length: 1_100 }, () => anIntent());
    await publishAll(service, events);
    await eventually(async () => (await unpublished(service.db)) === 0, 'all are published');
    const elsewhere = 'checkout-api.events';
    const request = draft('messaging.replay_requested', {
      environment: null,
      merchantId: null,
      aggregateId: elsewhere,
      sequence: 0,
      occurredAt: new Date(),
      data: { queue: elsewhere, types: ['intent.created'], since: '2026-01-01T00:00:00Z' },
    });

    await service.db.transaction((tx) => service.messaging.handleControl(tx, [request as EventOf]));

    await eventually(
      async () => (await service.db.query('select id from outbox_replays where finished_at is not null')).length === 1,
      'the replay is finished',
    );
    expect(await eventsWaiting(amqpUrl(), place.namespace, elsewhere)).toBe(2_200);
    expect(await eventsWaiting(amqpUrl(), place.namespace, QUEUE)).toBe(1_100);
    await service.stop();
    await place.drop();
  });
});
