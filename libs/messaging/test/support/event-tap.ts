import { connect } from 'amqplib';
import { SERVICES, type EventOf } from '@pay/contracts';
import { readDeliveries } from '../../src/consumer/delivery';
import { namesIn } from '../../src/broker/topology';

export interface EventTap {
  /** Events since the tap was opened, in order of arrival. */
  readonly events: readonly EventOf[];
  close(): Promise<void>;
}

/** Receives all events of a namespace in addition to their consumers. Declares missing exchanges. */
export async function eventTap(url: string, namespace: string): Promise<EventTap> {
  const events: EventOf[] = [];
  const names = namesIn(namespace);
  const connection = await connect(url, { noDelay: true });
  connection.on('error', () => undefined);
  const channel = await connection.createChannel();
  channel.on('error', () => undefined);
  const { queue } = await channel.assertQueue('', { exclusive: true });
  for (const service of SERVICES) {
    await channel.assertExchange(names.events(service), 'topic', { durable: true });
    await channel.bindQueue(queue, names.events(service), '#');
  }
  await channel.consume(
    queue,
    (message) => {
      if (message === null) return;
      for (const { content } of readDeliveries(message, new Date())) {
        if ('probe' in content) continue;
        if (!('event' in content)) throw new Error('violation' in content ? content.violation : content.rejectedProbe);
        events.push(content.event);
      }
    },
    { noAck: true },
  );
  return { events, close: () => connection.close() };
}
