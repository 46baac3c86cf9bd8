import { EventEmitter } from 'node:events';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { BrokerConnection } from '../broker/connection';
import { Session } from './session';

const LINGER_MS = 200;

class FakeChannel extends EventEmitter {
  readonly acknowledged: number[] = [];
  deliver: (message: ConsumeMessage) => void = () => undefined;
  prefetch = () => Promise.resolve();
  cancel = () => Promise.resolve();
  close = () => Promise.resolve();

  consume(_queue: string, onMessage: (message: ConsumeMessage) => void) {
    this.deliver = onMessage;
    return Promise.resolve({ consumerTag: 'spec' });
  }

  ack({ fields }: ConsumeMessage, allUpTo: boolean) {
    expect(allUpTo).toBe(true);
    this.acknowledged.push(fields.deliveryTag);
  }
}

function aMessage(deliveryTag: number, events = 1): ConsumeMessage {
  return { fields: { deliveryTag }, properties: { headers: { 'x-events': events } } } as unknown as ConsumeMessage;
}

async function aSession(prefetch: number) {
  const channel = new FakeChannel();
  const connection = { channel: () => Promise.resolve(channel as unknown as Channel) } as unknown as BrokerConnection;
  const session = await Session.open(connection, 'queue', prefetch, new AbortController().signal, LINGER_MS);
  return { session, channel };
}

describe('a session', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('acknowledges all messages that are handled within the linger with one acknowledgement of the last', async () => {
    const { session, channel } = await aSession(200);

    for (const tag of [1, 2, 3]) session.acknowledgeUpTo(aMessage(tag), 1);
    jest.advanceTimersByTime(LINGER_MS - 1);
    expect(channel.acknowledged).toEqual([]);
    jest.advanceTimersByTime(1);

    expect(channel.acknowledged).toEqual([3]);
    jest.advanceTimersByTime(10 * LINGER_MS);
    expect(channel.acknowledged).toEqual([3]);
  });

  it('acknowledges immediately when half of the prefetch is handled, or when the prefetch is one message', async () => {
    const { session, channel } = await aSession(200);
    session.acknowledgeUpTo(aMessage(99), 99);
    expect(channel.acknowledged).toEqual([]);
    session.acknowledgeUpTo(aMessage(100), 1);
    expect(channel.acknowledged).toEqual([100]);

    const careful = await aSession(1);
    careful.session.acknowledgeUpTo(aMessage(1), 1);
    expect(careful.channel.acknowledged).toEqual([1]);
  });

  it('acknowledges before it is closed or changes its prefetch, and acknowledges nothing when the channel is closed', async () => {
    const [closed, changed, gone] = [await aSession(200), await aSession(200), await aSession(200)];
    for (const { session } of [closed, changed, gone]) session.acknowledgeUpTo(aMessage(7), 1);

    await closed.session.close();
    await changed.session.changePrefetch(400);
    gone.channel.emit('close');
    jest.advanceTimersByTime(LINGER_MS);

    expect([closed, changed, gone].map(({ channel }) => channel.acknowledged)).toEqual([[7], [7], []]);
  });

  it('takes messages up to a number of events, and a single message that has more', async () => {
    const { session, channel } = await aSession(200);
    [8, 2, 1, 30, 1].forEach((events, tag) => channel.deliver(aMessage(tag, events)));
    const tags = async () => (await session.take(10)).map(({ fields }) => fields.deliveryTag);

    expect(await tags()).toEqual([0, 1]);
    expect(session.hasMore).toBe(true);
    expect([await tags(), await tags(), await tags()]).toEqual([[2], [3], [4]]);
    expect(session.hasMore).toBe(false);
  });

  it('gathers until enough events have arrived or the time is over', async () => {
    const { session, channel } = await aSession(200);
    channel.deliver(aMessage(0, 8));
    let gathered = 0;
    const count = () => (gathered += 1);
    const first = session.gather(10, 25).then(count);
    channel.deliver(aMessage(1));
    await Promise.resolve();
    expect(gathered).toBe(0);
    channel.deliver(aMessage(2));
    await first;
    expect(gathered).toBe(1);

    await session.take(10);
    const second = session.gather(10, 25).then(count);
    jest.advanceTimersByTime(25);
    await second;
    expect(gathered).toBe(2);
  });
});
