import { isEventType, PUBLISHERS, SERVICES, type ServiceName } from '@pay/contracts';
import type { ConfirmChannel, Options } from 'amqplib';
import { HEADERS } from '../../src/broker/message-format';
import { EventSignatures } from '../../src/broker/event-signatures';
import { namesIn } from '../../src/broker/topology';
import { withConnection } from '../../src/broker/with-connection';
import { testEventKeys } from './test-messaging';

export async function onBroker<T>(url: string, use: (channel: ConfirmChannel) => Promise<T>): Promise<T> {
  return withConnection(url, async (connection) => use(await connection.confirmChannel()));
}

/** `queue` is the name without the namespace. Example: `reconciler.events.parked`. */
export async function depthOf(url: string, namespace: string, queue: string): Promise<number> {
  return onBroker(url, async (channel) => (await channel.checkQueue(`${namespace}${queue}`)).messageCount);
}

/** Number of events in a queue, in any number of messages. Reads each message and returns it. */
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
  readonly unsigned?: boolean;
}

/** Publishes any bytes directly to a queue, signed with `testEventKeys`. */
export async function sendRaw(
  url: string,
  namespace: string,
  queue: string,
  messages: readonly RawMessage[],
): Promise<void> {
  await onBroker(url, async (channel) => {
    const name = namesIn(namespace).work(queue);
    for (const { body, options, unsigned } of messages) {
      const given = (options?.headers ?? {}) as Record<string, unknown>;
      const headers = { ...(unsigned === true ? {} : signedHeaders(queue, body)), ...given };
      channel.sendToQueue(name, Buffer.from(body), { persistent: true, ...options, headers });
    }
    await channel.waitForConfirms();
  });
}

function signedHeaders(queue: string, text: string): Record<string, string> {
  const reader = SERVICES.find((service) => queue.startsWith(`${service}.`)) ?? 'reconciler';
  const { publisher, routingKey } = senderOf(text, reader);
  const signatures = signaturesOf(publisher);
  const signature = signatures.sign({ publisher, routingKey, body: Buffer.from(text) }, [reader]);
  return { ...signature, [HEADERS.originalRoutingKey]: routingKey };
}

/** Unreadable bytes are signed by the consumer itself. */
function senderOf(text: string, reader: ServiceName): { publisher: ServiceName; routingKey: string } {
  try {
    const { type, version } = JSON.parse(text) as { type: string; version: number };
    const [publisher] = isEventType(type) ? PUBLISHERS[type] : [];
    return { publisher: publisher ?? reader, routingKey: `${type}.v${version}` };
  } catch {
    return { publisher: reader, routingKey: 'unreadable' };
  }
}

const known = new Map<ServiceName, EventSignatures>();

function signaturesOf(service: ServiceName): EventSignatures {
  const signatures = known.get(service) ?? new EventSignatures(service, testEventKeys(service));
  known.set(service, signatures);
  return signatures;
}
