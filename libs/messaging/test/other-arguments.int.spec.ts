import { connect } from 'amqplib';
import { eventually, failOnLeaks } from '@pay/testing';
import { namesIn } from '../src/broker/topology';
import { anEvent, aPlace, aService, effects, idsOf, publishAll, QUEUE, recording, type Place } from './fixture';

failOnLeaks();

/** A service publishes and consumes events with the existing objects of the broker. */
async function expectEventsFlow(place: Place): Promise<void> {
  const service = await aService(place);
  service.start(service.messaging.relay());
  service.start(service.messaging.consumer({ queue: QUEUE, handle: recording }));
  const events = [anEvent(), anEvent()];
  await publishAll(service, events);
  await eventually(async () => (await effects(service.db)).length === events.length, 'the events are handled');
  expect((await effects(service.db)).sort()).toEqual(idsOf(events).sort());
}

describe('a service that starts', () => {
  let place: Place;
  beforeEach(async () => (place = await aPlace()));
  afterEach(() => place.drop());

  async function asAdministrator(work: (channel: Awaited<ReturnType<typeof aChannel>>['channel']) => Promise<unknown>) {
    const { connection, channel } = await aChannel();
    await work(channel);
    await connection.close();
  }

  async function aChannel() {
    const connection = await connect(place.amqpUrl);
    return { connection, channel: await connection.createChannel() };
  }

  it.each([QUEUE, `${QUEUE}.parked`, `${QUEUE}.retry.5s`])(
    'publishes and consumes although the queue %s has other arguments',
    async (queue) => {
      await asAdministrator((channel) =>
        channel.assertQueue(`${place.namespace}${queue}`, {
          arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': 7 },
        }),
      );

      await expectEventsFlow(place);
    },
  );

  it.each(['reconciler', 'intent-api'] as const)(
    'publishes and consumes although the exchange of %s has another type',
    async (owner) => {
      await asAdministrator((channel) => channel.assertExchange(namesIn(place.namespace).own(owner), 'topic'));

      await expectEventsFlow(place);
    },
  );
});
