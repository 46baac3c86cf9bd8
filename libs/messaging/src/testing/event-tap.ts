import { connect } from 'amqplib';
import type { EventOf } from '@pay/contracts';
import { readDeliveries } from '../delivery';
import { namesIn } from '../topology';

export interface EventTap {
  /** Everything published under the namespace since the tap was opened, in the order it came. */
  readonly events: readonly EventOf[];
  close(): Promise<void>;
}

/** Listens to all events of a namespace beside their consumers. Makes the exchange if no service has yet. */
export async function eventTap(url: string, namespace: string): Promise<EventTap> {
  const events: EventOf[] = [];
  const { events: exchange } = namesIn(namespace);
  const connection = await connect(url, { noDelay: true });
  connection.on('error', () => undefined);
  const channel = await connection.createChannel();
  channel.on('error', () => undefined);
  await channel.assertExchange(exchange, 'topic', { durable: true });
  const { queue } = await channel.assertQueue('', { exclusive: true });
  await channel.bindQueue(queue, exchange, '#');
  await channel.consume(
    queue,
    (message) => {
      if (message === null) return;
      for (const { content } of readDeliveries(message, new Date())) {
        if (!('event' in content)) throw new Error(content.violation);
        events.push(content.event);
      }
    },
    { noAck: true },
  );
  return { events, close: () => connection.close() };
}
