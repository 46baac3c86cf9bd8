import { setTimeout as delay } from 'node:timers/promises';
import type { LocalRabbitMq } from '@pay/local-servers';
import { eventually, failOnLeaks, newQueuesOnDisk } from '@pay/testing';
import type { EventDraft } from '../src';
import { depthOf, onBroker } from './support';
import { namesIn } from '../src/broker/topology';
import {
  aGate,
  anEvent,
  aPlace,
  aService,
  at,
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
import { buildChild, removeChild, startChild } from './child-process';
import { ownRabbitMq, type Owned } from './private-servers';

failOnLeaks();

describe('a broker that fails', () => {
  let broker: Owned<LocalRabbitMq>;
  let place: Place;
  beforeAll(async () => (broker = await ownRabbitMq()));
  afterAll(() => broker.end());
  beforeEach(async () => (place = { ...(await aPlace()), amqpUrl: broker.server.url }));
  afterEach(() => place.drop());

  async function atRest(service: RunningService, events: readonly EventDraft[]): Promise<void> {
    await eventually(
      async () => new Set(await effects(service.db)).size === events.length,
      'every event has its effect',
      {
        timeoutMs: 30_000,
      },
    );
    await eventually(async () => (await unpublished(service.db)) === 0, 'the outbox is empty');
    // Duplicates are recognised and acknowledged.
    await eventually(async () => (await depthOf(place.amqpUrl, place.namespace, QUEUE)) === 0, 'the queue is empty');
    await service.stop();
    const after = await aService(place);
    expect((await effects(after.db)).sort()).toEqual(idsOf(events).sort());
    await after.stop();
    expect(await depthOf(place.amqpUrl, place.namespace, QUEUE)).toBe(0);
    expect(await depthOf(place.amqpUrl, place.namespace, `${QUEUE}.parked`)).toBe(0);
  }

  it('loses and repeats no event when it is killed with messages in flight', async () => {
    const service = await aService(place);
    service.start(service.messaging.relay());
    service.start(service.messaging.consumer({ queue: QUEUE, handle: recording, batchSize: 10 }));
    const events: EventDraft[] = [];
    const publishing = new AbortController();
    const load = (async () => {
      while (!publishing.signal.aborted) {
        const some = Array.from({ length: 5 }, () => anEvent());
        await publishAll(service, some);
        events.push(...some);
        // A fast machine would commit more while the broker starts than is consumed within the patience below.
        await delay(events.length < 2_000 ? 2 : 100);
      }
    })();
    try {
      await eventually(async () => (await effects(service.db)).length > 100, 'messages flow');
      await newQueuesOnDisk(broker.server);

      await broker.server.kill();
      const atDeath = events.length;
      await eventually(() => events.length > atDeath + 200, 'commits go on without a broker');
      expect(await unpublished(service.db)).toBeGreaterThan(100);
      await broker.server.restart();
      const before = (await effects(service.db)).length;
      await eventually(async () => (await effects(service.db)).length > before, 'messages flow again', {
        timeoutMs: 30_000,
      });
    } finally {
      publishing.abort();
      await load;
    }

    await atRest(service, events);
  }, 240_000);

  it('loses no committed event when it dies together with the publishing process', async () => {
    await buildChild();
    const [first, ...later] = Array.from({ length: 21 }, () => anEvent());
    const child = startChild({ ...at(place), publish: [first!.id], publishOnSignal: idsOf(later) });
    const observer = await aService(place);
    await eventually(
      async () => child.lines.includes('ready') && (await unpublished(observer.db)) === 0,
      'messages flow',
    );

    await newQueuesOnDisk(broker.server);

    // A frozen broker takes bytes and confirms nothing.
    process.kill(broker.server.pid, 'SIGSTOP');
    child.process.kill('SIGUSR2');
    await eventually(() => child.lines.length === 22, 'everything is committed');
    child.process.kill('SIGKILL');
    await child.ended;
    await broker.server.kill();
    expect(await unpublished(observer.db)).toBe(20);
    await broker.server.restart();

    observer.start(observer.messaging.relay());
    observer.start(observer.messaging.consumer({ queue: QUEUE, handle: recording }));
    await atRest(observer, [first!, ...later]);
    removeChild();
  }, 240_000);

  it('receives all events after it has refused messages, while commits continued', async () => {
    const service = await aService(place);
    service.start(service.messaging.relay());
    service.start(service.messaging.consumer({ queue: QUEUE, handle: recording }));
    const events = [anEvent()];
    await publishAll(service, events);
    await eventually(async () => (await effects(service.db)).length === 1, 'messages flow');

    await broker.server.ctl('set_vm_memory_high_watermark', '0.00001');
    try {
      const blocked = () => metricOf(service, 'messaging_connection_blocked', { connection: 'publish' });
      await eventually(async () => {
        const some = Array.from({ length: 50 }, () => anEvent());
        await publishAll(service, some);
        events.push(...some);
        return (await blocked()) === 1;
      }, 'the broker refuses');
      const onTheWire = await metricOf(service, 'messaging_unconfirmed', {});
      const more = Array.from({ length: 100 }, () => anEvent());
      const begun = performance.now();
      await publishAll(service, more);
      events.push(...more);
      // If commits waited for the broker, they would wait 15 seconds for the overdue confirm.
      expect(performance.now() - begun).toBeLessThan(10_000);
      // Fewer if the broker's last confirms had not arrived.
      expect(await metricOf(service, 'messaging_unconfirmed', {})).toBeLessThanOrEqual(onTheWire);
      const waiting = 'select id from outbox_pending where id = any($1::uuid[])';
      expect(await service.db.query(waiting, [idsOf(more)])).toHaveLength(100);
    } finally {
      await broker.server.ctl('set_vm_memory_high_watermark', '0.4');
    }

    await atRest(service, events);
  });

  it('lets a consumer empty the backlog of one merchant while it refuses messages', async () => {
    const service = await aService(place);
    service.start(service.messaging.relay());
    const events = Array.from({ length: 1_000 }, () => anEvent());
    await publishAll(service, events);
    await eventually(async () => (await unpublished(service.db)) === 0, 'all of them wait in the queue');

    await broker.server.ctl('set_vm_memory_high_watermark', '0.00001');
    try {
      await eventually(async () => {
        await publishAll(service, [anEvent()]);
        return (await metricOf(service, 'messaging_connection_blocked', { connection: 'publish' })) === 1;
      }, 'the broker refuses');
      service.start(service.messaging.consumer({ queue: QUEUE, handle: recording, batchSize: 10 }));

      await eventually(async () => {
        const done = new Set(await effects(service.db));
        return idsOf(events).every((id) => done.has(id));
      }, 'every event of the backlog has its effect');
      expect(await depthOf(place.amqpUrl, place.namespace, QUEUE)).toBe(0);
      expect(await metricOf(service, 'messaging_connection_blocked', { connection: 'publish' })).toBe(1);
      expect(await metricOf(service, 'messaging_consumed_total', { outcome: 'moved' })).toBe(0);
    } finally {
      await broker.server.ctl('set_vm_memory_high_watermark', '0.4');
    }
  });

  it('leaves events in the outbox while a queue is full', async () => {
    const service = await aService(place);
    service.start(service.messaging.relay());
    await publishAll(service, [anEvent()]);
    await eventually(async () => (await unpublished(service.db)) === 0, 'messages flow');
    const pattern = `^${namesIn(place.namespace).work(QUEUE).replaceAll('.', '\\.')}$`;
    await broker.server.ctl('set_policy', 'full', pattern, '{"max-length": 10}', '--apply-to', 'queues');
    const refused = `select id from outbox_pending where last_error like 'refused by the broker%'`;
    let count = 1;

    await eventually(async () => {
      await publishAll(service, [anEvent()]);
      count += 1;
      return (await service.db.query(refused)).length > 0;
    }, 'the broker refuses some');

    service.start(service.messaging.consumer({ queue: QUEUE, handle: recording }));
    await eventually(async () => new Set(await effects(service.db)).size === count, 'every event has its effect');
    expect(await effects(service.db)).toHaveLength(count);
    await broker.server.ctl('clear_policy', 'full');
  });

  it('is reconnected after it has closed every connection', async () => {
    const service = await aService(place);
    service.start(service.messaging.relay());
    service.start(service.messaging.consumer({ queue: QUEUE, handle: recording }));
    const events = [anEvent()];
    await publishAll(service, events);
    await eventually(async () => (await effects(service.db)).length === 1, 'messages flow');

    await broker.server.ctl('close_all_connections', 'maintenance');
    const more = Array.from({ length: 20 }, () => anEvent());
    await publishAll(service, more);

    await atRest(service, [...events, ...more]);
  });

  it('redelivers messages once after it has closed the channel of a slow consumer', async () => {
    await broker.server.ctl('eval', 'application:set_env(rabbit, channel_tick_interval, 200).');
    await broker.server.ctl('eval', 'application:set_env(rabbit, consumer_timeout, 500).');
    try {
      const service = await aService(place);
      service.start(service.messaging.relay());
      const gate = aGate();
      service.start(
        service.messaging.consumer({
          queue: QUEUE,
          async handle(tx, events) {
            await record(tx, events);
            await gate.pass();
          },
        }),
      );
      const events = Array.from({ length: 5 }, () => anEvent());
      await publishAll(service, events);
      await gate.arrived;
      const up = () => onBroker(place.amqpUrl, (channel) => channel.checkQueue(namesIn(place.namespace).work(QUEUE)));
      await eventually(async () => (await up()).consumerCount === 0, 'the broker has closed the channel');
      gate.open();

      await eventually(async () => (await up()).consumerCount === 1, 'the queue is consumed again');
      await atRest(service, events);
    } finally {
      await broker.server.ctl('eval', 'application:set_env(rabbit, consumer_timeout, 1800000).');
      await broker.server.ctl('eval', 'application:set_env(rabbit, channel_tick_interval, 60000).');
    }
  });

  it('is connected to as soon as it is available when a service starts before it', async () => {
    await broker.server.kill();
    const service = await aService(place);
    service.start(service.messaging.relay());
    service.start(service.messaging.consumer({ queue: QUEUE, handle: recording }));
    // More than the relay keeps in memory; the rest is only in the outbox.
    const events = Array.from({ length: 10_500 }, () => anEvent());
    for (let start = 0; start < events.length; start += 500)
      await publishAll(service, events.slice(start, start + 500));
    expect(await metricOf(service, 'messaging_relay_memory', {})).toBe(10_000);
    expect(() => service.messaging.checks.broker()).toThrow('has not been reached');

    await broker.server.restart();

    await atRest(service, events);
  });
});

describe('a consumer', () => {
  it('that cannot consume its queue although the broker is available ends its process', async () => {
    const place = await aPlace();
    const service = await aService(place, { timings: { watchdogMs: 500 } });
    service.start(service.messaging.relay());
    await publishAll(service, [anEvent()]);
    await eventually(async () => (await unpublished(service.db)) === 0, 'the queue is there');

    await onBroker(place.amqpUrl, async (channel) => {
      const name = namesIn(place.namespace).work(QUEUE);
      await channel.deleteQueue(name);
      // An exclusive queue of another connection, which no other connection may use.
      await channel.assertQueue(name, { exclusive: true });
      const consumer = service.messaging.consumer({ queue: QUEUE, handle: recording });
      await expect(consumer.run(new AbortController().signal)).rejects.toThrow('has had no consumer');
    });
    await place.drop();
  });
});
