import { EVENT_TYPES, mayPublish, SERVICES, type ServiceName } from '@pay/contracts';
import { eventually, failOnLeaks, testNamespace } from '@pay/testing';
import { connect, type ChannelModel, type ConfirmChannel } from 'amqplib';
import { randomUUID } from 'node:crypto';
import { openDatabase } from '@pay/persistence';
import { createMetrics } from '@pay/runtime';
import { declareTopology, definitionsOf, openMessaging, QUEUES } from '../src';
import { dropNamespace, onBroker, QUICK_TIMINGS, testEventKeys } from './support';
import { closeQuietly } from '../src/broker/connection';
import { bindingsOf, familyOf, namesIn, ownerOf, queuesOf, typesOf } from '../src/broker/topology';
import { anEvent, aPlace, migrations, publishAll, QUEUE, silentLog, unpublished } from './fixture';
import { ownRabbitMq, type Owned } from './private-servers';
import type { LocalRabbitMq } from '@pay/local-servers';

failOnLeaks();

const REFUSED = /ACCESS.REFUSED/;

/** A real node with the accounts of all services, created as in an installation. */
describe('the account of', () => {
  const namespace = testNamespace();
  const names = namesIn(namespace);
  const connections: Partial<Record<ServiceName, Promise<ChannelModel>>> = {};
  let broker: Owned<LocalRabbitMq>;

  beforeAll(async () => {
    broker = await ownRabbitMq();
    await importPasswords();
    await declareTopology({ url: broker.server.url, namespace });
  });
  afterAll(async () => {
    for (const connection of Object.values(connections)) await (await connection).close();
    await dropNamespace(broker.server.url, namespace);
    await broker.end();
  });

  async function importPasswords(changed: Partial<Record<ServiceName, string>> = {}): Promise<void> {
    const passwords = Object.fromEntries(SERVICES.map((service) => [service, changed[service] ?? `of ${service}`]));
    await broker.server.importDefinitions(
      definitionsOf({ namespace, vhost: '/', passwords: passwords as Record<ServiceName, string> }),
    );
  }

  function urlOf(service: ServiceName, password = `of ${service}`): string {
    const url = new URL(broker.server.url);
    url.username = names.user(service);
    url.password = password;
    return url.toString();
  }

  /** Each action uses a separate channel, because the broker closes it after a refusal. */
  async function as<T>(service: ServiceName, work: (channel: ConfirmChannel) => Promise<T>): Promise<T> {
    const connection = await (connections[service] ??= connect(urlOf(service), { noDelay: true }));
    const channel = await connection.createConfirmChannel();
    channel.on('error', () => undefined);
    try {
      return await work(channel);
    } finally {
      await closeQuietly(channel);
    }
  }

  const publish = (service: ServiceName, exchange: string, key: string) =>
    as(service, async (channel) => {
      const closed = new Promise<never>((_, reject) => channel.once('error', reject));
      channel.publish(exchange, key, Buffer.from('{}'));
      await Promise.race([channel.waitForConfirms(), closed]);
    });

  describe.each(SERVICES)('%s', (service) => {
    const own = queuesOf(service);
    const foreign = QUEUES.filter((queue) => ownerOf(queue) !== service);

    it('can publish its types to its exchange, to all and to single queues', async () => {
      const types = EVENT_TYPES.filter((type) => mayPublish(service, type));
      for (const type of types) await publish(service, names.events(service), `${type}.v1`);
      for (const queue of QUEUES) {
        for (const type of types.filter((each) => typesOf(queue).includes(each))) {
          await publish(service, names.events(service), `to.${queue}.${type}.v12`);
        }
      }
    });

    it('cannot publish a type of another service to any exchange', async () => {
      for (const type of EVENT_TYPES.filter((each) => !mayPublish(service, each))) {
        await expect(publish(service, names.events(service), `${type}.v1`)).rejects.toThrow(REFUSED);
        const [queue = ''] = QUEUES.filter((each) => typesOf(each).includes(type));
        await expect(publish(service, names.events(service), `to.${queue}.${type}.v1`)).rejects.toThrow(REFUSED);
      }
      for (const other of SERVICES.filter((each) => each !== service)) {
        await expect(publish(service, names.events(other), 'messaging.replay_requested.v1')).rejects.toThrow(REFUSED);
        await expect(publish(service, names.own(other), 'anything')).rejects.toThrow(REFUSED);
      }
    });

    it('cannot publish to any queue through the default exchange, including its own', async () => {
      for (const queue of [...own, ...foreign]) {
        await expect(publish(service, '', names.work(queue))).rejects.toThrow(REFUSED);
      }
    });

    it('can declare, bind, read and purge its own queues with their retry, parked and overflow queues', async () => {
      for (const queue of own) {
        await as(service, async (channel) => {
          for (const name of familyOf(queue, names)) {
            await channel.checkQueue(name);
            await channel.bindQueue(name, names.own(service), name);
            await channel.get(name);
            await channel.purgeQueue(name);
          }
          for (const { publisher, key } of bindingsOf(queue)) {
            await channel.bindQueue(names.work(queue), names.events(publisher), key);
          }
        });
      }
    });

    it('can declare its own queue again after it was deleted, with its dead-letter settings', async () => {
      const [queue] = own;
      await as(service, async (channel) => {
        await channel.deleteQueue(names.work(queue!));
        await channel.assertQueue(names.work(queue!), {
          deadLetterExchange: names.own(service),
          arguments: { 'x-queue-type': 'quorum' },
        });
        await channel.deleteQueue(names.work(queue!));
      });
      await declareTopology({ url: broker.server.url, namespace });
    });

    it('has a broadcast queue per process that no other service can read', async () => {
      const queue = names.broadcast(service, randomUUID());
      const other = SERVICES.find((each) => each !== service)!;
      await as(service, async (channel) => {
        await channel.assertQueue(queue, { exclusive: true, autoDelete: true, durable: false });
        await channel.bindQueue(queue, names.own(service), 'broadcast.directory');
        await expect(as(other, (otherAccount) => otherAccount.get(queue))).rejects.toThrow(REFUSED);
      });
    });

    it('cannot read, bind, purge, delete or declare a queue of another service', async () => {
      for (const name of foreign.flatMap((queue) => familyOf(queue, names))) {
        await expect(as(service, (channel) => channel.get(name))).rejects.toThrow(REFUSED);
        await expect(as(service, (channel) => channel.consume(name, () => undefined))).rejects.toThrow(REFUSED);
        await expect(as(service, (channel) => channel.purgeQueue(name))).rejects.toThrow(REFUSED);
        await expect(as(service, (channel) => channel.deleteQueue(name))).rejects.toThrow(REFUSED);
        await expect(as(service, (channel) => channel.assertQueue(`${name}.more`))).rejects.toThrow(REFUSED);
        await expect(as(service, (channel) => channel.bindQueue(name, names.own(service), 'x'))).rejects.toThrow(
          REFUSED,
        );
      }
    });

    it('cannot declare a queue whose name only starts or ends with the name of one of its own queues', async () => {
      for (const name of [...own.flatMap((queue) => familyOf(queue, names)), names.own(service)]) {
        for (const near of [`${name}.more`, `more.${name}`])
          await expect(as(service, (channel) => channel.assertQueue(near))).rejects.toThrow(REFUSED);
      }
    });

    it('cannot bind a routing key that is not in the topology, nor a wildcard', async () => {
      const queue = names.work(own[0]!);
      const wanted = own.flatMap(bindingsOf);
      for (const publisher of SERVICES) {
        const bind = (key: string) => as(service, (channel) => channel.bindQueue(queue, names.events(publisher), key));
        const keys = EVENT_TYPES.map((type) => `${type}.*`).filter(
          (key) => !wanted.some((binding) => binding.publisher === publisher && binding.key === key),
        );
        for (const key of [...keys, '#', '*.*.*', 'to.#', 'api_key.#'])
          await expect(bind(key)).rejects.toThrow(REFUSED);
      }
    });

    it('cannot declare or delete an event exchange, nor send dead letters to an exchange of another service', async () => {
      const dead = (exchange: string) => ({ deadLetterExchange: exchange, deadLetterRoutingKey: 'api_key.changed.v1' });
      const queue = names.broadcast(service, randomUUID());
      const others = SERVICES.filter((each) => each !== service);
      await expect(as(service, (channel) => channel.deleteExchange(names.events(service)))).rejects.toThrow(REFUSED);
      await expect(
        as(service, (channel) => channel.assertExchange(`${namespace}pay.events.more`, 'fanout')),
      ).rejects.toThrow(REFUSED);
      for (const exchange of ['', ...others.map(names.events), ...others.map(names.own)]) {
        await expect(as(service, (channel) => channel.assertQueue(queue, dead(exchange)))).rejects.toThrow(REFUSED);
      }
    });
  });

  it('keeps its connections when its password is changed in place, and opens new ones with the new password only', async () => {
    const publishes = () => publish('sms-ingest', names.events('sms-ingest'), 'device.seen.v1');
    await publishes();

    await importPasswords({ 'sms-ingest': 'changed' });

    await expect(connect(urlOf('sms-ingest'))).rejects.toThrow(REFUSED);
    await (await connect(urlOf('sms-ingest', 'changed'))).close();
    await publishes();
    await importPasswords();
  });

  it('publishes its other events when the broker refuses one because a permission is missing', async () => {
    const place = await aPlace('checkout-api', namespace);
    const db = await openDatabase({
      url: place.databaseUrl,
      poolSize: 4,
      applicationName: 'spec',
      log: silentLog(),
      migrations,
    });
    const messaging = await openMessaging({
      url: urlOf('checkout-api'),
      namespace,
      service: 'checkout-api',
      db,
      log: silentLog(),
      metrics: createMetrics('checkout-api'),
      timings: QUICK_TIMINGS,
      eventKeys: testEventKeys('checkout-api'),
    });
    const stopping = new AbortController();
    const relay = messaging.relay().run(stopping.signal);
    const refused = anEvent();
    await db.execute(
      `with stored as (
         insert into outbox (id, type, routing_key, target_queue, aggregate_id, sequence, merchant_id, body)
         values ($1, $2, $2 || '.v1', 'dashboard-api.control', 'x', 1, null, $3) returning id)
       insert into outbox_pending (id, next_try_at) select id, now() from stored`,
      [refused.id, refused.type, JSON.stringify(refused)],
    );
    const lastError = async () => {
      const rows = await db.query('select last_error from outbox_pending where id = $1', [refused.id]);
      return String(rows[0]?.['last_error']);
    };
    await eventually(async () => (await lastError()).includes('permission denied'), 'the broker has refused the event');
    const others = Array.from({ length: 30 }, () => anEvent());
    await publishAll({ db, messaging }, others);

    await eventually(async () => (await unpublished(db)) === 1, 'all other events are published');
    const { messageCount } = await onBroker(broker.server.url, (channel) => channel.checkQueue(names.work(QUEUE)));
    expect(messageCount).toBeGreaterThan(0);
    stopping.abort();
    await relay;
    await messaging.close();
    await db.close();
    await place.drop();
  });
});
