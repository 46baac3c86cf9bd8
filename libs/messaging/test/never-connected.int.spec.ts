import { failOnLeaks } from '@pay/testing';
import { aPlace, aService, QUEUE, recording, type Place } from './fixture';

failOnLeaks();

/** Nothing listens there. */
const CLOSED_PORT = 'amqp://127.0.0.1:1';

const zero = (series: string) => new RegExp(`^${series}.* 0$`, 'm');

describe('a service that has never reached the broker', () => {
  let place: Place;
  beforeEach(async () => (place = { ...(await aPlace()), amqpUrl: CLOSED_PORT }));
  afterEach(() => place.drop());

  it('reports both connections and its consumer as down', async () => {
    const service = await aService(place);
    service.start(service.messaging.consumer({ queue: QUEUE, handle: recording }));

    const text = await service.metrics.registry.metrics();
    for (const connection of ['publish', 'consume']) {
      expect(text).toMatch(zero(`messaging_connection_up{connection="${connection}"`));
      expect(text).toMatch(zero(`messaging_connection_blocked{connection="${connection}"`));
    }
    expect(text).toMatch(zero(`messaging_consumer_up{queue="${QUEUE}"`));
    await service.stop();
  });
});
