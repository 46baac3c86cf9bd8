import { amqpUrl, eventually, failOnLeaks } from '@pay/testing';
import { brokerCli } from '../src';
import { depthOf } from './support';
import { withSettingsInFiles } from './settings-in-files';
import { anEvent, aPlace, aService, publishAll, QUEUE, unpublished, type Place } from './fixture';

failOnLeaks();

describe('broker delete-messages', () => {
  let place: Place;
  beforeEach(async () => {
    place = await aPlace();
  });
  afterEach(() => place.drop());

  async function deleteMessages(
    environment: NodeJS.ProcessEnv = { AMQP_URL: amqpUrl(), AMQP_NAMESPACE: place.namespace },
  ): Promise<string> {
    const printed: string[] = [];
    await brokerCli(['delete-messages'], environment, (text) => printed.push(text));
    return printed.join('');
  }

  it('empties the queues of services that are stopped, and prints the number of messages', async () => {
    const service = await aService(place);
    service.start(service.messaging.relay());
    await publishAll(service, [anEvent()]);
    await eventually(async () => (await unpublished(service.db)) === 0, 'the event is published');
    await service.stop();
    expect(await depthOf(amqpUrl(), place.namespace, QUEUE)).toBe(1);

    expect(await deleteMessages()).toMatch(/^[1-9]\d* messages were deleted\.\n$/);
    expect(await depthOf(amqpUrl(), place.namespace, QUEUE)).toBe(0);
  });

  it('reads its settings from files, as in a container', async () => {
    await aService(place);

    await withSettingsInFiles({ AMQP_URL: amqpUrl(), AMQP_NAMESPACE: place.namespace }, async (environment) =>
      expect(await deleteMessages(environment)).toMatch(/^\d+ messages were deleted\.\n$/),
    );
  });

  it('deletes nothing while a queue has a consumer', async () => {
    const service = await aService(place);
    service.start(service.messaging.consumer({ queue: QUEUE, handle: () => Promise.resolve() }));
    await eventually(async () => {
      await expect(deleteMessages()).rejects.toThrow('has a consumer. Stop all services first.');
      return true;
    }, 'the consumer is registered');
  });
});
