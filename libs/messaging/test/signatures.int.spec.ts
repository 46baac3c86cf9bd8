import { randomUUID } from 'node:crypto';
import { SERVICES, type ServiceName } from '@pay/contracts';
import type { LocalRabbitMq } from '@pay/local-servers';
import { openDatabase } from '@pay/persistence';
import { createLogger, createMetrics } from '@pay/runtime';
import { eventually, failOnLeaks } from '@pay/testing';
import {
  declareTopology,
  definitionsOf,
  listParked,
  openMessaging,
  replayParked,
  type EventDraft,
  type EventKeys,
  type Handle,
} from '../src';
import { EventSignatures } from '../src/broker/event-signatures';
import { onBroker, QUICK_TIMINGS, sendRaw, testEventKeys, type RawMessage } from './support';
import { namesIn } from '../src/broker/topology';
import {
  anEvent,
  aPlace,
  effects,
  idsOf,
  metricOf,
  migrations,
  publishAll,
  QUEUE,
  record,
  recording,
  unpublished,
  type Place,
  type RunningService,
} from './fixture';
import { ownRabbitMq, type Owned } from './private-servers';

failOnLeaks();

const PASSWORDS = Object.fromEntries(SERVICES.map((service) => [service, `of ${service}`])) as Record<
  ServiceName,
  string
>;

/** Two services as in an installation: each with its own account, keys and database. */
describe('events between services with separate accounts and keys', () => {
  let broker: Owned<LocalRabbitMq>;
  let publisherPlace: Place;
  let consumerPlace: Place;
  const lines: Record<string, unknown>[] = [];
  const running: RunningService[] = [];

  beforeAll(async () => {
    broker = await ownRabbitMq();
    publisherPlace = await aPlace('checkout-api');
    consumerPlace = await aPlace('reconciler', publisherPlace.namespace);
    const { namespace } = publisherPlace;
    await broker.server.importDefinitions(definitionsOf({ namespace, vhost: '/', passwords: PASSWORDS }));
    await declareTopology({ url: broker.server.url, namespace, timings: QUICK_TIMINGS });
  });
  afterEach(async () => {
    for (const service of running.splice(0)) await service.stop();
    lines.length = 0;
    await onBroker(broker.server.url, async (channel) => {
      for (const name of [names().work(QUEUE), names().parked(QUEUE)]) await channel.purgeQueue(name);
    });
  });
  afterAll(async () => {
    await consumerPlace.drop();
    await publisherPlace.drop();
    await broker.end();
  });

  const names = () => namesIn(publisherPlace.namespace);
  const urlOf = (service: ServiceName) => {
    const url = new URL(broker.server.url);
    url.username = names().user(service);
    url.password = PASSWORDS[service];
    return url.toString();
  };
  const parked = () => listParked({ url: urlOf('reconciler'), namespace: publisherPlace.namespace, queue: QUEUE });

  async function open(service: 'checkout-api' | 'reconciler', keys: Partial<EventKeys> = {}): Promise<RunningService> {
    const { databaseUrl, namespace } = service === 'reconciler' ? consumerPlace : publisherPlace;
    const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
    const log = createLogger({ service, level: 'info', destination });
    const metrics = createMetrics(service);
    const db = await openDatabase({ url: databaseUrl, poolSize: 4, applicationName: service, log, migrations });
    const messaging = await openMessaging({
      url: urlOf(service),
      namespace,
      service,
      db,
      log,
      metrics,
      timings: QUICK_TIMINGS,
      eventKeys: { ...testEventKeys(service), ...keys },
    });
    const stopping = new AbortController();
    const workers: RunningService['workers'] = [];
    const opened: RunningService = {
      db,
      messaging,
      metrics,
      workers,
      start(worker) {
        const ended = worker.run(stopping.signal);
        ended.catch(() => undefined);
        workers.push({ name: worker.name, ended });
      },
      async stop() {
        stopping.abort();
        await Promise.allSettled(workers.map((worker) => worker.ended));
        await messaging.close();
        await db.close();
      },
    };
    running.push(opened);
    return opened;
  }

  async function both(keys: Partial<EventKeys> = {}, handle: Handle = recording) {
    const publisher = await open('checkout-api');
    publisher.start(publisher.messaging.relay());
    const consumer = await open('reconciler', keys);
    consumer.start(consumer.messaging.relay());
    consumer.start(consumer.messaging.consumer({ queue: QUEUE, handle }));
    await consumer.db.execute('truncate effects');
    return { publisher, consumer };
  }

  const raw = (event: EventDraft, unsigned = false): RawMessage => ({
    body: JSON.stringify(event),
    options: { messageId: event.id },
    unsigned,
  });
  const send = (...messages: RawMessage[]) => sendRaw(broker.server.url, publisherPlace.namespace, QUEUE, messages);

  it('are published, retried, parked and replayed', async () => {
    let fails = true;
    const failing = anEvent({ sequence: 99 });
    const others = Array.from({ length: 30 }, () => anEvent());
    const { publisher, consumer } = await both({}, async (tx, events) => {
      if (fails && events.some(({ id }) => id === failing.id)) throw new Error('not now');
      await record(tx, events);
    });

    await publishAll(publisher, [...others.slice(0, 15), failing, ...others.slice(15)]);

    await eventually(async () => (await parked()).length === 1, 'it is parked after its rounds', { timeoutMs: 60_000 });
    expect((await parked())[0]).toMatchObject({ id: failing.id, tries: 8, signedBy: 'reconciler/test' });
    expect((await effects(consumer.db)).sort()).toEqual(idsOf(others).sort());
    fails = false;
    await replayParked({ url: urlOf('reconciler'), namespace: publisherPlace.namespace, queue: QUEUE });
    await eventually(async () => (await effects(consumer.db)).includes(failing.id), 'the replayed one is handled');
    expect(await unpublished(publisher.db)).toBe(0);
  }, 90_000);

  it('are parked with their reason when the signature is missing or wrong, and later events are handled', async () => {
    const { consumer } = await both();
    const [unsigned, altered, good] = [anEvent(), anEvent(), anEvent()];
    await send(raw(unsigned, true));
    const signatures = new EventSignatures('checkout-api', testEventKeys('checkout-api'));
    const another = { publisher: 'checkout-api', routingKey: 'claim.submitted.v1', body: Buffer.from('{}') } as const;
    const headers = signatures.sign(another, ['reconciler']);
    await send({ ...raw(altered), options: { messageId: altered.id, headers } });
    await send(raw(good));

    await eventually(async () => (await effects(consumer.db)).includes(good.id), 'the good one is handled');
    await eventually(async () => (await parked()).length === 2, 'the others are parked');

    expect(new Map((await parked()).map(({ id, reason }) => [id, reason]))).toEqual(
      new Map([
        [unsigned.id, 'the message has no signature'],
        [altered.id, 'the signature of checkout-api does not match the message'],
      ]),
    );
    expect(await effects(consumer.db)).toEqual([good.id]);
    for (const reason of ['unsigned', 'signature']) {
      expect(await metricOf(consumer, 'messaging_parked_total', { queue: QUEUE, reason })).toBe(1);
      expect(lines).toContainEqual(expect.objectContaining({ level: 'error', msg: 'message.parked', kind: reason }));
    }
  });

  it('that were parked because a key was missing are handled after the key is added and they are replayed', async () => {
    const verification = testEventKeys('reconciler').verification.map((key) =>
      key.publisher === 'checkout-api' ? { ...key, id: 'other' } : key,
    );
    const first = await both({ verification });
    const events = Array.from({ length: 20 }, () => anEvent());
    await publishAll(first.publisher, events);
    await eventually(async () => (await parked()).length > 0, 'they are parked, as the messages that they came in');
    expect((await parked())[0]?.reason).toBe(
      'there is no verification key of checkout-api with the id of the signature',
    );
    await eventually(async () => (await unpublished(first.publisher.db)) === 0, 'all have been sent');
    for (const service of running.splice(0)) await service.stop();

    const { consumer } = await both();
    await replayParked({ url: urlOf('reconciler'), namespace: publisherPlace.namespace, queue: QUEUE });

    await eventually(async () => (await effects(consumer.db)).length >= 20, 'all are handled');
    expect((await effects(consumer.db)).sort()).toEqual(idsOf(events).sort());
  });

  it('are replayed with a signature of the current key when a queue was lost', async () => {
    const events = Array.from({ length: 25 }, () => anEvent());
    const publisher = await open('checkout-api');
    publisher.start(publisher.messaging.relay());
    const control = {
      queue: 'checkout-api.control',
      handle: (...[tx, all]: Parameters<Handle>) => publisher.messaging.handleControl(tx, all),
    };
    publisher.start(publisher.messaging.consumer(control));
    await publishAll(publisher, events);
    await eventually(async () => (await unpublished(publisher.db)) === 0, 'all are published');
    await onBroker(broker.server.url, (channel) => channel.deleteQueue(names().work(QUEUE)));

    const consumer = await open('reconciler');
    await consumer.db.execute('truncate effects');
    consumer.start(consumer.messaging.relay());
    consumer.start(consumer.messaging.consumer({ queue: QUEUE, handle: recording }));

    await eventually(async () => (await effects(consumer.db)).length >= 25, 'all events are handled');
    expect((await effects(consumer.db)).sort()).toEqual(idsOf(events).sort());
    expect(await parked()).toEqual([]);
  });

  it('of a type of another service cannot be published, and the error is thrown immediately', async () => {
    const { consumer } = await both();

    await expect(
      consumer.db.transaction((tx) => consumer.messaging.publish(tx, [anEvent({ id: randomUUID() })])),
    ).rejects.toThrow('reconciler may not publish claim.submitted');
  });

  it('wait in the outbox while the exchange of their publisher is missing, and the log names the command that declares it', async () => {
    const { publisher, consumer } = await both();
    await publishAll(publisher, [anEvent()]);
    await eventually(async () => (await effects(consumer.db)).length === 1, 'messages flow');
    await onBroker(broker.server.url, (channel) => channel.deleteExchange(names().events('checkout-api')));
    const waiting = anEvent();
    await publishAll(publisher, [waiting]);
    await eventually(
      () => lines.some((line) => JSON.stringify(line).includes('node tools/broker.mjs declare')),
      'the log names the command',
    );
    expect(await unpublished(publisher.db)).toBe(1);

    await declareTopology({
      url: broker.server.url,
      namespace: publisherPlace.namespace,
      timings: QUICK_TIMINGS,
    });

    await eventually(async () => (await effects(consumer.db)).includes(waiting.id), 'it arrives');
  });
});
