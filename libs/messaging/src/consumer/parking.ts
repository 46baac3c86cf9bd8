import type { Channel, ConfirmChannel, GetMessage } from 'amqplib';
import { Unroutable } from '../errors';
import { HEADERS } from '../broker/message-format';
import { signatureOf, signerOf } from '../broker/event-signatures';
import { isQueueName, namesIn, ownerOf } from '../broker/topology';
import { withConnection } from '../broker/with-connection';

/** The fields of a parked message that may be printed. The body may contain phone numbers and stays in the queue. */
export interface ParkedMessage {
  readonly id: string;
  readonly type: string;
  readonly reason: string;
  readonly tries: number;
  readonly firstSeen: string | undefined;
  readonly parkedAt: string | undefined;
  readonly originalRoutingKey: string | undefined;
  /** Signer and key id: a key must be kept while messages that it signed are parked. */
  readonly signedBy: string | undefined;
}

export interface ParkingOptions {
  readonly url: string;
  readonly namespace: string;
  /** The work queue whose parked messages are meant, such as `reconciler.events`. */
  readonly queue: string;
}

export async function listParked(options: ParkingOptions): Promise<ParkedMessage[]> {
  return onParkedQueue(options, async (channel, { parked }) => {
    const { messageCount } = await channel.checkQueue(parked);
    const messages: ParkedMessage[] = [];
    for await (const message of waiting(channel, parked, messageCount)) messages.push(describe(message));
    // Closing the channel returns all of them to the queue, which may change their order.
    return messages.toSorted(byTimeOfParking);
  });
}

/**
 * Publishes parked messages (all, or those of `ids`) to their work queue with the same id and no retries, and returns
 * their ids. Each leaves the parked queue after the confirm.
 */
export async function replayParked(options: ParkingOptions & { readonly ids?: readonly string[] }): Promise<string[]> {
  const { ids } = options;
  return onParkedQueue(options, async (channel, { parked, ...target }) => {
    const { messageCount } = await channel.checkQueue(parked);
    const replayed: string[] = [];
    for await (const message of waiting(channel, parked, messageCount)) {
      const { id } = describe(message);
      if (ids !== undefined && !ids.includes(id)) continue;
      await publishAgain(channel, target, message);
      channel.ack(message);
      replayed.push(id);
    }
    return replayed;
  });
}

/**
 * Deletes the parked messages with these ids and returns their printable fields. Their effects stay missing unless the
 * publisher replays the events.
 */
export async function discardParked(
  options: ParkingOptions & { readonly ids: readonly string[] },
): Promise<ParkedMessage[]> {
  return onParkedQueue(options, async (channel, { parked }) => {
    const { messageCount } = await channel.checkQueue(parked);
    const discarded: ParkedMessage[] = [];
    for await (const message of waiting(channel, parked, messageCount)) {
      const description = describe(message);
      if (!options.ids.includes(description.id)) continue;
      channel.ack(message);
      discarded.push(description);
    }
    return discarded;
  });
}

/** Messages that the broker parked itself have no time and come first. */
function byTimeOfParking({ parkedAt: one = '' }: ParkedMessage, { parkedAt: other = '' }: ParkedMessage): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

interface Place {
  readonly parked: string;
  readonly work: string;
  readonly exchange: string;
}

async function onParkedQueue<T>(
  { url, namespace, queue }: ParkingOptions,
  use: (channel: ConfirmChannel, place: Place) => Promise<T>,
): Promise<T> {
  if (!isQueueName(queue)) throw new RangeError(`${queue} is not a queue of the topology`);
  const names = namesIn(namespace);
  return withConnection(url, async (connection) => {
    const channel = await connection.confirmChannel();
    const place = { parked: names.parked(queue), work: names.work(queue), exchange: names.own(ownerOf(queue)) };
    const result = await use(channel, place);
    await channel.close();
    return result;
  });
}

async function* waiting(channel: Channel, queue: string, most: number): AsyncGenerator<GetMessage> {
  for (let count = 0; count < most; count += 1) {
    const message = await channel.get(queue);
    if (message === false) return;
    yield message;
  }
}

async function publishAgain(
  channel: ConfirmChannel,
  { exchange, work }: Omit<Place, 'parked'>,
  message: GetMessage,
): Promise<void> {
  const messageId: unknown = message.properties.messageId;
  const type: unknown = message.properties.type;
  const { originalRoutingKey } = describe(message);
  const returned: unknown[] = [];
  const onReturn = (back: unknown) => returned.push(back);
  channel.on('return', onReturn);
  const { [HEADERS.events]: events, ...other } = message.properties.headers ?? {};
  channel.publish(exchange, work, message.content, {
    mandatory: true,
    persistent: true,
    contentType: 'application/json',
    ...(typeof messageId === 'string' ? { messageId } : {}),
    ...(typeof type === 'string' ? { type } : {}),
    headers: {
      ...signatureOf(other),
      ...(typeof events === 'number' ? { [HEADERS.events]: events } : {}),
      ...(originalRoutingKey === undefined ? {} : { [HEADERS.originalRoutingKey]: originalRoutingKey }),
    },
  });
  await channel.waitForConfirms();
  channel.off('return', onReturn);
  if (returned.length > 0) throw new Unroutable(`the queue ${work} does not exist, or is not bound to ${exchange}`);
}

function describe(message: GetMessage): ParkedMessage {
  const { properties } = message;
  const headers = properties.headers ?? {};
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const death = headers['x-death']?.[0];
  const firstDeath = headers['x-death']?.at(-1);
  const tries: unknown = headers[HEADERS.tries];
  return {
    id: text(properties.messageId) ?? 'unknown',
    type: text(properties.type) ?? 'unknown',
    reason: text(headers[HEADERS.reason]) ?? (death === undefined ? 'unknown' : `by the broker: ${death.reason}`),
    tries: typeof tries === 'number' ? tries : 0,
    firstSeen: text(headers[HEADERS.firstSeen]),
    parkedAt: text(headers[HEADERS.parkedAt]),
    originalRoutingKey: text(headers[HEADERS.originalRoutingKey]) ?? text(firstDeath?.['routing-keys'][0]),
    signedBy: signerOf(headers),
  };
}
