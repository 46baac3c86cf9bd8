import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { amqpUrl, eventually, failOnLeaks } from '@pay/testing';
import { eventsWaiting } from '../src/testing';
import { anEvent, aPlace, aService, metricOf, publishAll, QUEUE, unpublished, type Place } from './fixture';

failOnLeaks();

/** Forwards to the broker. Connections of publishers can be frozen: what they send never arrives. */
async function aProxy() {
  const { hostname, port } = new URL(amqpUrl());
  const frozen = new Set<Socket>();
  const publishing = new Set<Socket>();
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    const broker = connect(Number(port), hostname);
    sockets.push(client, broker);
    client.on('data', (bytes) => {
      if (bytes.includes('intent-api publish')) publishing.add(client);
      if (!frozen.has(client)) broker.write(bytes);
    });
    broker.pipe(client);
    client.on('error', () => undefined).on('close', () => broker.destroy());
    broker.on('error', () => undefined).on('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(amqpUrl());
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.toString(),
    publishing,
    freeze: () => publishing.forEach((client) => frozen.add(client)),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('a publisher whose broker answers nothing, not even the close of the channel', () => {
  let proxy: Awaited<ReturnType<typeof aProxy>>;
  let place: Place;
  beforeEach(async () => {
    proxy = await aProxy();
    place = { ...(await aPlace()), amqpUrl: proxy.url };
  });
  afterEach(async () => {
    await place.drop();
    await proxy.close();
  });

  it('sends nothing more on that channel and connects again', async () => {
    const service = await aService(place, { timings: { confirmTimeoutMs: 3_000 } });
    service.start(service.messaging.relay());
    await publishAll(service, [anEvent()]);
    await eventually(async () => (await unpublished(service.db)) === 0, 'events are published');

    proxy.freeze();
    for (let n = 0; n < 5; n += 1) await publishAll(service, [anEvent()]);
    await eventually(async () => (await unpublished(service.db)) === 0, 'the others are published, too');

    expect(proxy.publishing.size).toBeGreaterThanOrEqual(2);
    // A busy machine may need a third connection; sending on the closing channel would lose thousands.
    expect(await metricOf(service, 'messaging_published_total', { outcome: 'lost' })).toBeLessThan(50);
    expect(await eventsWaiting(amqpUrl(), place.namespace, QUEUE)).toBeGreaterThanOrEqual(6);
  });
});
