import { eventually, failOnLeaks } from '@pay/testing';
import { brokerProxy } from './broker-proxy';
import { anEvent, aPlace, aService, effects, publishAll, QUEUE, recording, type Place } from './fixture';

failOnLeaks();

/** `connection.close` with the reply code 320, as RabbitMQ sends it when it stops. */
const CLOSE = Buffer.from('01000000000016000a003201400b636f6e6e5f666f7263656400000000ce', 'hex');

/** The first message of the broker that ends with `answer` is followed by the close of its connection. */
async function closingProxy(answer: string) {
  let closed = 0;
  const proxy = await brokerProxy({
    toClient(bytes, { client, broker }) {
      if (closed === 0 && bytes.toString('hex').endsWith(answer)) {
        closed += 1;
        client.end(Buffer.concat([bytes, CLOSE]));
        broker.destroy();
      } else if (client.writable) client.write(bytes);
    },
  });
  return { ...proxy, closed: () => closed };
}

describe('a connection that the broker closes in the same packet', () => {
  let proxy: Awaited<ReturnType<typeof closingProxy>>;
  let place: Place;
  afterEach(async () => {
    await place.drop();
    await proxy.close();
  });

  it.each([
    ['in which it accepts it', '000a002900ce'],
    ['in which it opens a channel', '0014000b00000000ce'],
    ['in which it enables confirms', '0055000bce'],
  ])('%s is opened again, and events are published', async (_when, answer) => {
    proxy = await closingProxy(answer);
    place = { ...(await aPlace()), amqpUrl: proxy.url };
    const service = await aService(place);
    service.start(service.messaging.relay());
    service.start(service.messaging.consumer({ queue: QUEUE, handle: recording }));

    await publishAll(service, [anEvent()]);

    await eventually(async () => (await effects(service.db)).length === 1, 'the event arrives');
    expect(proxy.closed()).toBe(1);
  });
});
