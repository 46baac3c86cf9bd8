import { eventsOf, type EventOf } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import { amqpUrl, eventually, failOnLeaks } from '@pay/testing';
import { depthOf, onBroker } from './support';
import type { Timings } from '../src/timings';
import { bindingsOf, namesIn, type QueueName } from '../src/broker/topology';
import { anIntent } from './an-intent';
import { buildChild, removeChild, startChild } from './child-process';
import {
  anEvent,
  aPlace,
  aService,
  at,
  effects,
  idsOf,
  metricOf,
  publishAll,
  QUEUE,
  recording,
  startControl,
  unpublished,
  type Place,
  type RunningService,
} from './fixture';
import { ownRabbitMq } from './private-servers';

failOnLeaks();

const EVERY_MS = 150;
/** Maximum duration of a round on a busy machine; a repair takes five rounds. */
const PATIENT = { timeoutMs: 60_000 };
const LONG = 300_000;

async function recordIntents(tx: Transaction, events: readonly EventOf[]): Promise<void> {
  const intents = eventsOf(events, 'intent.created', 'intent.method_selected');
  await tx.execute('insert into effects (event_id) select unnest($1::uuid[])', [intents.map((event) => event.id)]);
}

function throws(work: () => void): boolean {
  try {
    work();
    return false;
  } catch {
    return true;
  }
}

describe('a binding that probes test', () => {
  let place: Place;
  let other: Place;
  let publisher: RunningService;
  beforeAll(() => buildChild());
  afterAll(removeChild);
  beforeEach(async () => {
    place = await aPlace('intent-api');
    other = await aPlace('reconciler', place.namespace);
    publisher = await aPublisher();
  });
  afterEach(async () => {
    await Promise.all([...place.running, ...other.running].map((service) => service.stop()));
    await other.drop();
    await place.drop();
  });

  async function aPublisher(): Promise<RunningService> {
    const service = await aService(place, { timings: { probeEveryMs: EVERY_MS } });
    service.start(service.messaging.relay());
    startControl(service, 'intent-api.control');
    return service;
  }

  async function aConsumer(timings: Partial<Timings> = {}): Promise<RunningService> {
    const service = await aService(other, {
      service: 'reconciler',
      timings: { probeEveryMs: EVERY_MS, ...timings },
    });
    service.start(service.messaging.relay());
    service.start(service.messaging.consumer({ queue: QUEUE, handle: recordIntents }));
    return service;
  }

  async function unbind(...types: readonly string[]): Promise<void> {
    const { work, events } = namesIn(place.namespace);
    await onBroker(amqpUrl(), async (channel) => {
      for (const type of types) await channel.unbindQueue(work(QUEUE), events('intent-api'), `${type}.*`);
    });
  }

  /** Pauses the publisher's rounds while `work` runs. */
  async function betweenRounds<T>(work: () => Promise<T>): Promise<T> {
    const next = (time: string) =>
      publisher.db.execute(`update messaging_turns set next_at = ${time} where name = 'probe'`);
    await next(`now() + interval '1 day'`);
    const result = await work();
    await next('now()');
    return result;
  }

  async function numbers(service: RunningService): Promise<Record<string, number>> {
    const rows = await service.db.query<{ type: string; seen: string }>(
      `select type, seen from binding_probes where queue = $1 and publisher = 'intent-api'`,
      [QUEUE],
    );
    return Object.fromEntries(rows.map(({ type, seen }) => [type, Number(seen)]));
  }

  /** Waits until both types are probed and this many further rounds are received. */
  async function rounds(consumer: RunningService, more: number): Promise<void> {
    const before = await eventually(
      async () => {
        const now = await numbers(consumer);
        return Object.keys(now).length === 2 && now;
      },
      'both types are probed',
      PATIENT,
    );
    await eventually(
      async () =>
        Object.entries(await numbers(consumer)).every(([type, number]) => number >= (before[type] ?? 0) + more),
      'more rounds are received',
      PATIENT,
    );
  }

  async function inOperation(timings?: Partial<Timings>): Promise<{ consumer: RunningService; first: string[] }> {
    const consumer = await aConsumer(timings);
    const first = [anIntent('intent.created'), anIntent('intent.method_selected')];
    await publishAll(publisher, first);
    await eventually(async () => (await effects(consumer.db)).length === 2, 'events flow', PATIENT);
    await rounds(consumer, 2);
    return { consumer, first: idsOf(first) };
  }

  /** Replays other than those of queues created at the start, which cover seven days. */
  const replayed = () =>
    publisher.db.query<{ queue: string; types: string[] }>(
      `select queue, types from outbox_replays where since > now() - interval '1 day' order by id`,
    );

  async function allPublished(): Promise<void> {
    await eventually(async () => (await unpublished(publisher.db)) === 0, 'everything is confirmed', PATIENT);
  }

  async function expectExactly(service: RunningService, ids: readonly string[]): Promise<void> {
    await eventually(
      async () => new Set(await effects(service.db)).size >= ids.length,
      'every event has its effect',
      PATIENT,
    );
    expect((await effects(service.db)).sort()).toEqual([...ids].sort());
    expect(await depthOf(amqpUrl(), place.namespace, `${QUEUE}.parked`)).toBe(0);
  }

  it(
    'is declared again when it was removed while events flow, and its events arrive exactly once',
    async () => {
      const { consumer, first } = await inOperation();
      const lost = Array.from({ length: 10 }, () => anIntent('intent.created'));
      const others = Array.from({ length: 10 }, () => anIntent('intent.method_selected'));

      await unbind('intent.created');
      await publishAll(publisher, [...lost, ...others]);

      await expectExactly(consumer, [...first, ...idsOf(lost), ...idsOf(others)]);
      for (const { queue, types } of await replayed()) {
        expect({ queue, types }).toEqual({ queue: QUEUE, types: ['intent.created'] });
      }
      // Events published after the declaration may arrive before the repair is counted.
      await eventually(
        async () => (await metricOf(consumer, 'messaging_bindings_repaired_total', { queue: QUEUE })) > 0,
        'the repair is counted',
      );
      const after = anIntent('intent.created');
      await publishAll(publisher, [after]);
      await expectExactly(consumer, [...first, ...idsOf(lost), ...idsOf(others), after.id]);
    },
    LONG,
  );

  it(
    'is declared again when all bindings to its publisher were removed and no probe arrives',
    async () => {
      const { consumer, first } = await inOperation({ declareEveryMs: EVERY_MS });
      const lost = [anIntent('intent.created'), anIntent('intent.method_selected')];

      await unbind('intent.created', 'intent.method_selected');
      await publishAll(publisher, lost);

      await expectExactly(consumer, [...first, ...idsOf(lost)]);
    },
    LONG,
  );

  it(
    'is noticed when it was removed while its consumer was stopped, also just before its start',
    async () => {
      const { consumer, first } = await inOperation();
      await consumer.stop();
      const lost = anIntent('intent.created');

      const next = await betweenRounds(async () => {
        await unbind('intent.created');
        await publishAll(publisher, [lost]);
        await allPublished();
        const started = await aConsumer();
        await eventually(
          () => !throws(() => started.messaging.checks.broker()),
          'it has declared its topology',
          PATIENT,
        );
        return started;
      });

      await expectExactly(next, [...first, lost.id]);
    },
    LONG,
  );

  it(
    'of a type that had no events yet is noticed with the first one',
    async () => {
      const consumer = await aConsumer();
      const known = anIntent('intent.method_selected');
      await publishAll(publisher, [known]);
      await eventually(async () => 'intent.method_selected' in (await numbers(consumer)), 'it is probed', PATIENT);
      const lost = anIntent('intent.created');

      await unbind('intent.created');
      await publishAll(publisher, [lost]);

      await expectExactly(consumer, [known.id, lost.id]);
    },
    LONG,
  );

  it(
    'of an exchange that was deleted and made again without it gets what was confirmed in between',
    async () => {
      const { consumer, first } = await inOperation();
      const names = namesIn(place.namespace);
      const elsewhere: QueueName = 'checkout-api.events';

      const lost = Array.from({ length: 5 }, () => anIntent('intent.created'));
      await betweenRounds(async () => {
        await onBroker(amqpUrl(), async (channel) => {
          await channel.deleteExchange(names.events('intent-api'));
          await channel.assertExchange(names.events('intent-api'), 'topic', { durable: true });
          for (const { publisher: of, key } of bindingsOf(elsewhere))
            await channel.bindQueue(names.work(elsewhere), names.events(of), key);
          await channel.bindQueue(names.work(QUEUE), names.events('intent-api'), 'intent.method_selected.*');
        });
        await publishAll(publisher, lost);
        await allPublished();
      });

      await expectExactly(consumer, [...first, ...idsOf(lost)]);
    },
    LONG,
  );

  it(
    'is not replayed in normal operation, nor when its publisher or its consumer starts again',
    async () => {
      const { consumer, first } = await inOperation();
      await rounds(consumer, 6);
      await publisher.stop();
      publisher = await aPublisher();
      await rounds(consumer, 6);
      await consumer.stop();
      const next = await aConsumer();
      await rounds(next, 6);

      await expectExactly(next, first);
      expect(await replayed()).toEqual([]);
      expect(await next.db.query('select * from binding_probes where missing_since is not null')).toEqual([]);
    },
    LONG,
  );

  it(
    'gets a number twice when its publisher dies between the confirm and the new number, and is not replayed',
    async () => {
      const { consumer, first } = await inOperation();
      await publisher.stop();
      const observer = await aService(place);
      const [sent] = await observer.db.query<{ number: string }>(
        `select number from probes where type = 'intent.created'`,
      );
      const received = async () => (await numbers(consumer))['intent.created'] ?? 0;
      await eventually(async () => (await received()) >= Number(sent?.number), 'all sent probes are received', PATIENT);
      const child = startChild(
        { ...at(place), timings: { probeEveryMs: EVERY_MS } },
        'probes.after-confirm-before-number:kill',
      );
      expect(await child.ended).toBe('SIGKILL');

      await eventually(async () => (await received()) === Number(sent?.number) + 1, 'its probe is received', PATIENT);
      publisher = await aPublisher();
      await rounds(consumer, 4);
      await expectExactly(consumer, first);
      expect(await replayed()).toEqual([]);
    },
    LONG,
  );
});

describe('the broker', () => {
  it(
    'restarts, and no binding is taken for a lost one',
    async () => {
      const broker = await ownRabbitMq();
      const place = { ...(await aPlace()), amqpUrl: broker.server.url };
      const service = await aService(place, { timings: { probeEveryMs: EVERY_MS } });
      service.start(service.messaging.relay());
      service.start(service.messaging.consumer({ queue: QUEUE, handle: recording }));
      const seen = async () =>
        Number((await service.db.query<{ seen: string }>('select seen from binding_probes'))[0]?.seen ?? 0);
      const more = async (rounds: number) => {
        const before = await seen();
        await eventually(async () => (await seen()) >= before + rounds, 'more rounds are received', PATIENT);
      };
      await publishAll(service, [anEvent()]);
      await eventually(async () => (await seen()) > 0, 'the type is probed', PATIENT);
      await more(3);

      await broker.server.restart();

      await more(6);
      expect(await metricOf(service, 'messaging_bindings_repaired_total', { queue: QUEUE })).toBe(0);
      expect(await effects(service.db)).toHaveLength(1);
      await service.stop();
      await place.drop();
      await broker.end();
    },
    LONG,
  );

  it(
    'returns an event of one type, and the consumers of the type request what may have been lost since the last probe',
    async () => {
      const place = await aPlace();
      const service = await aService(place, { timings: { probeEveryMs: EVERY_MS } });
      service.start(service.messaging.relay());
      const number = async () =>
        Number(
          (await service.db.query<{ number: string }>(`select number from probes where type = 'claim.submitted'`))[0]
            ?.number ?? 0,
        );
      await publishAll(service, [anEvent()]);
      await eventually(async () => (await number()) > 0, 'the type is probed', PATIENT);
      const { work, events } = namesIn(place.namespace);
      await onBroker(amqpUrl(), (channel) =>
        channel.unbindQueue(work(QUEUE), events('checkout-api'), 'claim.submitted.*'),
      );
      const before = await number();
      await publishAll(service, [anEvent()]);

      await eventually(async () => (await number()) >= before + 3, 'numbers are skipped', PATIENT);
      await service.stop();
      await place.drop();
    },
    LONG,
  );
});
