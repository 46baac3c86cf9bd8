import type { Socket } from 'node:net';
import { amqpUrl, eventually, failOnLeaks } from '@pay/testing';
import { eventsWaiting } from './support';
import { brokerProxy } from './broker-proxy';
import {
  anEvent,
  aPlace,
  aService,
  metricOf,
  publishAll,
  QUEUE,
  recordingLog,
  unpublished,
  type Place,
} from './fixture';

failOnLeaks();

/** Connections of publishers can be frozen: what they send never arrives. */
async function freezingProxy() {
  const frozen = new Set<Socket>();
  const publishing = new Set<Socket>();
  const proxy = await brokerProxy({
    toBroker(bytes, { client, broker }) {
      if (bytes.includes('intent-api publish')) publishing.add(client);
      if (!frozen.has(client)) broker.write(bytes);
    },
  });
  return { ...proxy, publishing, freeze: () => publishing.forEach((client) => frozen.add(client)) };
}

describe('a publisher whose broker answers nothing, not even the close of the channel', () => {
  let proxy: Awaited<ReturnType<typeof freezingProxy>>;
  let place: Place;
  beforeEach(async () => {
    proxy = await freezingProxy();
    place = { ...(await aPlace()), amqpUrl: proxy.url };
  });
  afterEach(async () => {
    await place.drop();
    await proxy.close();
  });

  it('sends nothing more on that channel and connects again', async () => {
    const { log, events } = recordingLog();
    const service = await aService(place, { timings: { confirmTimeoutMs: 3_000 }, log });
    service.start(service.messaging.relay());
    await publishAll(service, [anEvent()]);
    await eventually(async () => (await unpublished(service.db)) === 0, 'events are published');

    proxy.freeze();
    for (let n = 0; n < 5; n += 1) await publishAll(service, [anEvent()]);
    await eventually(async () => (await unpublished(service.db)) === 0, 'the others are published, too');

    expect(events).toContain('publisher.confirms_overdue');
    expect(proxy.publishing.size).toBeGreaterThanOrEqual(2);
    // A busy machine may need a third connection; sending on the closing channel would lose thousands.
    expect(await metricOf(service, 'messaging_published_total', { outcome: 'lost' })).toBeLessThan(50);
    expect(await eventsWaiting(amqpUrl(), place.namespace, QUEUE)).toBeGreaterThanOrEqual(6);
  });
});
