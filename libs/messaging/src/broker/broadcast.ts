import { randomUUID } from 'node:crypto';
import type { Channel, ConsumeMessage } from 'amqplib';
import type { ServiceName } from '@pay/contracts';
import type { BackOff, Logger } from '@pay/runtime';
import { closeQuietly, type BrokerConnection } from './connection';
import { KeptChannel } from './kept-channel';
import type { Names } from './topology';

/** Best effort: a notification may be lost. */
export interface Broadcast {
  send(topic: string, payload?: string): void;
  on(topic: string, listener: (payload: string) => void): void;
}

export interface BroadcasterDeps {
  readonly publishing: BrokerConnection;
  readonly consuming: BrokerConnection;
  readonly names: Names;
  readonly service: ServiceName;
  readonly log: Logger;
  /** For tests: replaces the waits before a channel is opened again. */
  readonly pauses?: BackOff;
}

/**
 * The broker deletes the queue of a dead process with its connection. A slow process keeps only the newest
 * notifications.
 */
const QUEUE = { exclusive: true, autoDelete: true, durable: false, messageTtl: 10_000, maxLength: 10_000 };

export class Broadcaster implements Broadcast {
  private readonly listeners = new Map<string, ((payload: string) => void)[]>();
  private readonly outgoing: KeptChannel;
  private readonly incoming: KeptChannel;
  private queue: { readonly name: string; readonly channel: Channel } | undefined;
  private closed = false;

  constructor(private readonly deps: BroadcasterDeps) {
    const { publishing, consuming, pauses } = deps;
    const onFailure = (error: unknown) => this.failed(error);
    this.outgoing = new KeptChannel({
      connection: publishing,
      onFailure,
      pauses,
      prepare: (channel) => this.declareExchange(channel),
    });
    this.incoming = new KeptChannel({
      connection: consuming,
      onFailure,
      pauses,
      prepare: (channel) => this.consume(channel),
    });
    this.outgoing.open();
  }

  send(topic: string, payload = ''): void {
    if (this.deps.publishing.isBlocked) return;
    try {
      this.outgoing.current?.publish(this.exchange, keyOf(topic), Buffer.from(payload));
    } catch {
      // Best effort: the channel has just closed.
    }
  }

  on(topic: string, listener: (payload: string) => void): void {
    const known = this.listeners.get(topic);
    this.listeners.set(topic, [...(known ?? []), listener]);
    this.incoming.open();
    // Without a queue, the channel is being opened and will bind every topic that is known then.
    if (known === undefined && this.queue !== undefined)
      void this.bind(this.queue, [topic]).catch((error: unknown) => this.failed(error));
  }

  private get exchange(): string {
    return this.deps.names.own(this.deps.service);
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.outgoing.close();
    await this.incoming.close();
  }

  private async declareExchange(channel: Channel): Promise<void> {
    await channel.assertExchange(this.exchange, 'direct', { durable: true });
  }

  private async consume(channel: Channel): Promise<void> {
    const { names, service } = this.deps;
    channel.on('close', () => (this.queue = undefined));
    await this.declareExchange(channel);
    const { queue: name } = await channel.assertQueue(names.broadcast(service, randomUUID()), QUEUE);
    this.queue = { name, channel };
    await this.bind(this.queue, [...this.listeners.keys()]);
    const receive = (message: ConsumeMessage | null) => {
      if (message) this.receive(topicOf(message.fields.routingKey), message.content);
      // The broker has cancelled the consumer, because the queue is gone. A new channel declares a new one.
      else void closeQuietly(channel);
    };
    await channel.consume(name, receive, { noAck: true });
  }

  private async bind(queue: { readonly name: string; readonly channel: Channel }, topics: readonly string[]) {
    for (const topic of topics) await queue.channel.bindQueue(queue.name, this.exchange, keyOf(topic));
  }

  private receive(topic: string, content: Buffer): void {
    for (const listener of this.listeners.get(topic) ?? []) {
      try {
        listener(content.toString());
      } catch (error) {
        this.deps.log.error({ topic, err: error }, 'broadcast.listener_failed');
      }
    }
  }

  private failed(error: unknown): void {
    if (!this.closed) this.deps.log.debug({ err: error }, 'broadcast.failed');
  }
}

const PREFIX = 'broadcast.';

/** A prefix separates these keys from queue names, which are keys of the same exchange. */
function keyOf(topic: string): string {
  return `${PREFIX}${topic}`;
}

function topicOf(key: string): string {
  return key.slice(PREFIX.length);
}
