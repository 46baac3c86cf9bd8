import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { amqpUrl, eventually, failOnLeaks } from '@pay/testing';
import { anEvent, aPlace, aService, effects, publishAll, QUEUE, recording, type Place } from './fixture';

failOnLeaks();

/** `connection.close` with the reply code 320, as RabbitMQ sends it when it stops. */
const CLOSE = Buffer.from('01000000000016000a003201400b636f6e6e5f666f7263656400000000ce', 'hex');

/** Forwards to the broker. The first message that ends with `answer` is followed by the close of its connection. */
async function aProxy(answer: string) {
  const { hostname, port } = new URL(amqpUrl());
  const sockets: Socket[] = [];
  let closed = 0;
  const server = createServer((client) => {
    const broker = connect(Number(port), hostname);
    sockets.push(client, broker);
    client.pipe(broker);
    broker.on('data', (bytes) => {
      if (closed === 0 && bytes.toString('hex').endsWith(answer)) {
        closed += 1;
        client.end(Buffer.concat([bytes, CLOSE]));
        broker.destroy();
      } else if (client.writable) client.write(bytes);
    });
    client.on('error', () => undefined).on('close', () => broker.destroy());
    broker.on('error', () => undefined).on('close', () => client.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(amqpUrl());
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.toString(),
    closed: () => closed,
    async end() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('a connection that the broker closes in the same packet', () => {
  let proxy: Awaited<ReturnType<typeof aProxy>>;
  let place: Place;
  afterEach(async () => {
    await place.drop();
    await proxy.end();
  });

  it.each([
    ['in which it accepts it', '000a002900ce'],
    ['in which it opens a channel', '0014000b00000000ce'],
    ['in which it enables confirms', '0055000bce'],
  ])('%s is opened again, and events are published', async (_when, answer) => {
    proxy = await aProxy(answer);
    place = { ...(await aPlace()), amqpUrl: proxy.url };
    const service = await aService(place);
    service.start(service.messaging.relay());
    service.start(service.messaging.consumer({ queue: QUEUE, handle: recording }));

    await publishAll(service, [anEvent()]);

    await eventually(async () => (await effects(service.db)).length === 1, 'the event arrives');
    expect(proxy.closed()).toBe(1);
  });
});
