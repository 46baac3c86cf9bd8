import { connect, type ConfirmChannel, type Options } from 'amqplib';
import { HEADERS } from '../delivery';
import { namesIn } from '../topology';

/** A channel of one's own on the broker, closed afterwards. */
export async function onBroker<T>(url: string, use: (channel: ConfirmChannel) => Promise<T>): Promise<T> {
  const connection = await connect(url, { noDelay: true });
  connection.on('error', () => undefined);
  try {
    const channel = await connection.createConfirmChannel();
    channel.on('error', () => undefined);
    return await use(channel);
  } finally {
    await connection.close().catch(() => undefined);
  }
}

/** Messages that wait in a queue, by its name without the namespace, such as `reconciler.events.parked`. */
export async function depthOf(url: string, namespace: string, queue: string): Promise<number> {
  return onBroker(url, async (channel) => (await channel.checkQueue(`${namespace}${queue}`)).messageCount);
}

/** Events that wait in a queue, in however many messages. Looks at each and puts it back. */
export async function eventsWaiting(url: string, namespace: string, queue: string): Promise<number> {
  return onBroker(url, async (channel) => {
    let events = 0;
    for (;;) {
      const message = await channel.get(`${namespace}${queue}`);
      if (message === false) return events;
      const carried: unknown = message.properties.headers?.[HEADERS.events];
      events += typeof carried === 'number' ? carried : 1;
    }
  });
}

export interface RawMessage {
  readonly body: string;
  readonly options?: Options.Publish;
}

/** Puts bytes straight into a work queue, whatever they are. */
export async function sendRaw(
  url: string,
  namespace: string,
  queue: string,
  messages: readonly RawMessage[],
): Promise<void> {
  await onBroker(url, async (channel) => {
    const name = namesIn(namespace).work(queue);
    for (const { body, options } of messages) {
      channel.sendToQueue(name, Buffer.from(body), { persistent: true, ...options });
    }
    await channel.waitForConfirms();
  });
}
