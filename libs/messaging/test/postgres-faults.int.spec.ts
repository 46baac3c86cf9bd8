import { setTimeout as delay } from 'node:timers/promises';
import type { LocalPostgres } from '@pay/local-servers';
import { amqpUrl, eventually, failOnLeaks, testNamespace } from '@pay/testing';
import { isConnectionLoss, migrate } from '@pay/persistence';
import type { EventDraft, Handle } from '../src';
import { depthOf, dropNamespace, onBroker } from './support';
import {
  aGate,
  anEvent,
  aService,
  effects,
  idsOf,
  metricOf,
  migrations,
  publishAll,
  QUEUE,
  record,
  recording,
  silentLog,
  unpublished,
  type Place,
  type RunningService,
} from './fixture';
import { ownPostgres, type Owned } from './private-servers';

failOnLeaks();

describe('a Postgres that fails under a service', () => {
  let postgres: Owned<LocalPostgres>;
  let place: Place;
  beforeAll(async () => {
    postgres = await ownPostgres();
    const running = new Set<RunningService>();
    const namespace = testNamespace();
    place = {
      databaseUrl: postgres.server.url,
      amqpUrl: amqpUrl(),
      namespace,
      running,
      async drop() {
        await Promise.all([...running].map((service) => service.stop()));
        await dropNamespace(amqpUrl(), namespace);
      },
    };
    await migrate({ url: place.databaseUrl, migrations, log: silentLog() });
  });
  afterAll(async () => {
    await place.drop();
    await postgres.end();
  });

  it('that restarts unexpectedly loses no acknowledged event, and no event is repeated or parked', async () => {
    const service = await aService(place);
    service.start(service.messaging.relay());
    service.start(service.messaging.consumer({ queue: QUEUE, handle: recording, batchSize: 10 }));
    const acknowledged: EventDraft[] = [];
    const unknown: EventDraft[] = [];
    const publishing = new AbortController();
    const load = (async () => {
      while (!publishing.signal.aborted) {
        const some = Array.from({ length: 5 }, () => anEvent());
        try {
          await publishAll(service, some);
          acknowledged.push(...some);
        } catch (error) {
          if (!isConnectionLoss(error)) throw error;
          unknown.push(...some);
        }
        await delay(2);
      }
    })();

    try {
      for (let round = 0; round < 3; round += 1) {
        const before = (await effects(service.db)).length;
        await eventually(async () => (await effects(service.db)).length > before + 50, 'messages flow');
        await postgres.server.restart('immediate');
      }
      const before = acknowledged.length;
      await eventually(() => acknowledged.length > before + 50, 'commits go on');
    } finally {
      publishing.abort();
      await load;
    }

    await eventually(async () => (await unpublished(service.db)) === 0, 'the outbox is empty');
    await eventually(async () => {
      const done = new Set(await effects(service.db));
      return acknowledged.every((event) => done.has(event.id));
    }, 'every acknowledged event has its effect');
    await eventually(async () => (await depthOf(amqpUrl(), place.namespace, QUEUE)) === 0, 'the queue is empty');
    const done = await effects(service.db);
    expect(new Set(done).size).toBe(done.length);
    // A transaction that was interrupted in COMMIT may have an effect; no other may.
    expect(idsOf([...acknowledged, ...unknown])).toEqual(expect.arrayContaining(done));
    expect(unknown.length).toBeGreaterThan(0);
    expect(await metricOf(service, 'messaging_consumed_total', { outcome: 'retried' })).toBe(0);
    await service.stop();
    expect(await depthOf(amqpUrl(), place.namespace, `${QUEUE}.parked`)).toBe(0);
    expect(await depthOf(amqpUrl(), place.namespace, `${QUEUE}.retry.5s`)).toBe(0);
  }, 240_000);

  it('that is unavailable makes the consumer keep its messages without increasing their retries', async () => {
    const service = await aService(place, { timings: { releaseAfterMs: 300 } });
    await service.db.execute('truncate effects');
    service.start(service.messaging.relay());
    const events = Array.from({ length: 30 }, () => anEvent());
    await publishAll(service, events);
    await eventually(async () => (await unpublished(service.db)) === 0, 'all are published');
    const gate = aGate();
    const handle: Handle = async (tx, batch) => {
      await gate.pass();
      await record(tx, batch);
    };
    service.start(service.messaging.consumer({ queue: QUEUE, handle, batchSize: 5 }));
    await gate.arrived;
    await postgres.server.kill();
    gate.open();
    const consumers = () =>
      onBroker(amqpUrl(), (channel) => channel.checkQueue(`${place.namespace}${QUEUE}`)).then(
        (queue) => queue.consumerCount,
      );
    await eventually(
      async () => (await consumers()) === 0,
      'the messages are handed back, for a process that reaches the database',
    );

    await postgres.server.restart();

    await eventually(async () => (await effects(service.db)).length >= 30, 'all are handled');
    expect((await effects(service.db)).sort()).toEqual(idsOf(events).sort());
    await service.stop();
    expect(await depthOf(amqpUrl(), place.namespace, `${QUEUE}.parked`)).toBe(0);
  });
});
