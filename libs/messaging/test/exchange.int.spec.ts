import { amqpUrl, eventually, failOnLeaks } from '@pay/testing';
import { depthOf } from '../src/testing';
import {
  anEvent,
  aPlace,
  aService,
  effects,
  idsOf,
  publishAll,
  QUEUE,
  recording,
  unpublished,
  type Place,
} from './fixture';

failOnLeaks();

describe('an event', () => {
  let place: Place;
  beforeEach(async () => (place = await aPlace()));
  afterEach(() => place.drop());

  it('is handled once by the consumer of its queue, in the order of the commits, and marked published', async () => {
    const service = await aService(place);
    service.start(service.messaging.relay());
    service.start(service.messaging.consumer({ queue: QUEUE, handle: recording }));
    const events = Array.from({ length: 250 }, () => anEvent());

    for (let start = 0; start < 250; start += 50) await publishAll(service, events.slice(start, start + 50));

    await eventually(async () => (await effects(service.db)).length >= 250, 'all events are handled');
    await eventually(async () => (await unpublished(service.db)) === 0, 'all events are marked published');
    expect(await effects(service.db)).toEqual(idsOf(events));
    await service.stop();
    expect(await depthOf(amqpUrl(), place.namespace, QUEUE)).toBe(0);
  });
});
