import amqp from 'amqplib';
import { signedHeaders } from '../signed-events';
import type { RunningSystem } from '../system';
import type { QueuedEvent } from './decision-events';
import { Opened, withOpened } from './opened';

export interface PublishedEvent {
  readonly type: string;
  readonly event: unknown;
  /** Time of `performance.now()`. */
  readonly at: number;
}

export interface OwnQueues {
  /** Events that intent-api would have received, in order. May be emptied. */
  readonly published: PublishedEvent[];
  send(queue: 'reconciler.events' | 'reconciler.control', events: readonly QueuedEvent[]): Promise<void>;
  /** Messages in the work queue and the overflow queue of the reconciler. */
  depth(): Promise<number>;
}

/** Exchanges of each service. */
const EXCHANGES = ['pay.events', 'pay.own'];
const SERVICES = ['intent-api', 'checkout-api', 'sms-ingest', 'reconciler', 'webhook-dispatcher', 'dashboard-api'];
const SUFFIXES = ['', '.parked', '.crowd', '.retry.5s', '.retry.30s', '.retry.5m'];
/** Number of messages between two waits for confirmation. */
const CHUNK = 1_000;

/** The queues of a namespace with a single service. Messages for other services are consumed here. */
export async function openOwnQueues(system: RunningSystem, namespace: string, opened: Opened): Promise<OwnQueues> {
  const channel = await openChannel(system, opened);
  const published: PublishedEvent[] = [];
  const options = { noAck: true };
  await channel.consume(
    `${namespace}intent-api.events`,
    (message) => {
      if (message === null) return;
      const at = performance.now();
      const type = String(message.properties.type);
      const content: unknown = JSON.parse(message.content.toString());
      // A message may contain several events.
      for (const event of Array.isArray(content) ? (content as unknown[]) : [content])
        published.push({ type, event, at });
    },
    options,
  );
  await channel.consume(`${namespace}sms-ingest.events`, () => undefined, options);
  return {
    published,
    async send(queue, events) {
      for (let from = 0; from < events.length; from += CHUNK) {
        for (const { id, type, body: text } of events.slice(from, from + CHUNK)) {
          const body = Buffer.from(text);
          const headers = signedHeaders(system, queue, type, body);
          const properties = { persistent: true, messageId: id, type, contentType: 'application/json', headers };
          channel.sendToQueue(`${namespace}${queue}`, body, properties);
        }
        await channel.waitForConfirms();
      }
    },
    async depth() {
      const queues = ['reconciler.events', 'reconciler.events.crowd'];
      const counts = await Promise.all(queues.map((queue) => channel.checkQueue(`${namespace}${queue}`)));
      return counts.reduce((sum, { messageCount }) => sum + messageCount, 0);
    },
  };
}

/** Queues and exchanges that do not exist are ignored. */
export async function dropQueues(system: RunningSystem, namespace: string): Promise<void> {
  await withOpened(new Opened(), async (opened) => {
    const channel = await openChannel(system, opened);
    for (const service of SERVICES) {
      for (const kind of ['events', 'control']) {
        for (const suffix of SUFFIXES) await channel.deleteQueue(`${namespace}${service}.${kind}${suffix}`);
      }
    }
    for (const service of SERVICES) {
      for (const exchange of EXCHANGES) await channel.deleteExchange(`${namespace}${exchange}.${service}`);
    }
  });
}

async function openChannel(system: RunningSystem, opened: Opened) {
  const connection = await opened.open(
    () => amqp.connect(system.amqpUrl, { noDelay: true }),
    (it) => it.close(),
  );
  return connection.createConfirmChannel();
}
