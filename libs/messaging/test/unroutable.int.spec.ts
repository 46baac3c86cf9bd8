import { amqpUrl, eventually, failOnLeaks } from '@pay/testing';
import { onBroker } from './support';
import { namesIn } from '../src/broker/topology';
import {
  anEvent,
  aPlace,
  aService,
  effects,
  idsOf,
  metricOf,
  publishAll,
  QUEUE,
  recording,
  unpublished,
  type Place,
} from './fixture';

failOnLeaks();

describe('an event that no queue takes', () => {
  let place: Place;
  beforeAll(async () => (place = await aPlace()));
  afterAll(() => place.drop());

  it('stays in the outbox and is published once a queue takes it', async () => {
    const service = await aService(place);
    service.start(service.messaging.relay());
    service.start(service.messaging.consumer({ queue: QUEUE, handle: recording }));
    const first = anEvent();
    await publishAll(service, [first]);
    await eventually(async () => (await effects(service.db)).length === 1, 'everything is in its place');
    const { work, events } = namesIn(place.namespace);
    const lost = Array.from({ length: 3 }, () => anEvent());

    await onBroker(amqpUrl(), (channel) =>
      channel.unbindQueue(work(QUEUE), events('checkout-api'), 'claim.submitted.*'),
    );
    await publishAll(service, lost);

    const row = async () =>
      (
        await service.db.query<{ tries: number; last_error: string }>(
          'select tries, last_error from outbox_pending where id = any($1) order by tries, last_error',
          [idsOf(lost)],
        )
      )[0];
    await eventually(async () => ((await row())?.tries ?? 0) >= 2, 'all were tried and returned more than once');
    expect((await row())?.last_error).toContain('no queue is bound');
    expect(await unpublished(service.db)).toBe(3);
    expect(
      await metricOf(service, 'messaging_published_total', { type: 'claim.submitted', outcome: 'returned' }),
    ).toBeGreaterThan(1);

    await onBroker(amqpUrl(), (channel) => channel.bindQueue(work(QUEUE), events('checkout-api'), 'claim.submitted.*'));

    await eventually(async () => (await unpublished(service.db)) === 0, 'they are published');
    await eventually(async () => (await effects(service.db)).length >= 4, 'they are handled');
    expect(await effects(service.db)).toEqual(idsOf([first, ...lost]));
    await service.stop();
  });
});

describe('the exchange', () => {
  let place: Place;
  beforeAll(async () => (place = await aPlace()));
  afterAll(() => place.drop());

  it('is declared again after it was deleted, and events published meanwhile arrive', async () => {
    const service = await aService(place);
    service.start(service.messaging.relay());
    service.start(service.messaging.consumer({ queue: QUEUE, handle: recording }));
    await publishAll(service, [anEvent()]);
    await eventually(async () => (await effects(service.db)).length === 1, 'everything is in its place');

    await onBroker(amqpUrl(), (channel) => channel.deleteExchange(namesIn(place.namespace).events('checkout-api')));
    await publishAll(
      service,
      Array.from({ length: 10 }, () => anEvent()),
    );

    await eventually(async () => (await effects(service.db)).length >= 11, 'all events are handled');
    expect(new Set(await effects(service.db)).size).toBe(11);
    await eventually(async () => (await unpublished(service.db)) === 0, 'the outbox is empty');
    await service.stop();
  });
});
