import { amqpUrl, failOnLeaks } from '@pay/testing';
import { brokerCli } from '../src';
import { onBroker } from './support';
import { namesIn, QUEUES } from '../src/broker/topology';
import { aPlace, type Place } from './fixture';

failOnLeaks();

describe('broker declare', () => {
  let place: Place;
  beforeEach(async () => {
    place = await aPlace();
  });
  afterEach(() => place.drop());

  async function declare(...options: string[]): Promise<{ code: number; text: string }> {
    let text = '';
    const environment = { AMQP_URL: amqpUrl(), AMQP_NAMESPACE: place.namespace };
    const code = await brokerCli(['declare', ...options], environment, (part) => (text += part));
    return { code, text };
  }

  async function existing(): Promise<string[]> {
    const found: string[] = [];
    for (const queue of QUEUES) {
      const name = namesIn(place.namespace).work(queue);
      const exists = await onBroker(amqpUrl(), (channel) => channel.checkQueue(name)).then(
        () => true,
        () => false,
      );
      if (exists) found.push(queue);
    }
    return found;
  }

  it('creates the exchanges of events and no queue', async () => {
    expect(await declare()).toMatchObject({ code: 0 });

    await onBroker(amqpUrl(), (channel) => channel.checkExchange(namesIn(place.namespace).events('intent-api')));
    expect(await existing()).toEqual([]);
  });

  it('with --queues also creates the queues', async () => {
    expect(await declare('--queues')).toMatchObject({ code: 0 });

    expect(await existing()).toEqual([...QUEUES]);
  });

  it.each([['--queue'], ['--queues', 'reconciler.events']])(
    'refuses %s and prints why queues must not be declared after their loss',
    async (...options) => {
      const { code, text } = await declare(...options);

      expect(code).toBe(2);
      expect(text).toContain('Never use it after a loss of queues');
      expect(await existing()).toEqual([]);
    },
  );
});
