import { randomUUID } from 'node:crypto';
import type { Channel } from 'amqplib';
import type { ServiceName } from '@pay/contracts';
import type { Logger } from '@pay/runtime';
import { closeQuietly, type BrokerConnection } from './connection';
import type { Names } from './topology';

/** Notifies every process of this service that something has changed. Best effort: a notification may be lost. */
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
}

/**
 * The broker deletes the queue of a dead process with its connection. A slow process keeps only the newest
 * notifications.
 */
const QUEUE = { exclusive: true, autoDelete: true, durable: false, messageTtl: 10_000, maxLength: 10_000 };

export class Broadcaster implements Broadcast {
  private readonly listeners = new Map<string, ((payload: string) => void)[]>();
  private outgoing: Channel | undefined;
  private incoming: Channel | undefined;
  private queue: string | undefined;
  private closed = false;

  constructor(private readonly deps: BroadcasterDeps) {
    deps.publishing.on('up', () => void this.openOutgoing());
    deps.consuming.on('up', () => void this.openIncoming());
    if (deps.publishing.isUp) void this.openOutgoing();
  }

  send(topic: string, payload = ''): void {
    if (this.outgoing === undefined || this.deps.publishing.isBlocked) return;
    try {
      this.outgoing.publish(this.exchange, keyOf(topic), Buffer.from(payload));
    } catch {
      // Best effort: the channel has just closed.
    }
  }

  on(topic: string, listener: (payload: string) => void): void {
    const known = this.listeners.get(topic);
    this.listeners.set(topic, [...(known ?? []), listener]);
    if (this.incoming === undefined) void this.openIncoming();
    else if (known === undefined) void this.bind(this.incoming, [topic]);
  }

  private get exchange(): string {
    return this.deps.names.own(this.deps.service);
  }

  async close(): Promise<void> {
    this.closed = true;
    await closeQuietly(this.outgoing);
    await closeQuietly(this.incoming);
  }

  private async openOutgoing(): Promise<void> {
    await this.quietly(async () => {
      const channel = await this.deps.publishing.channel();
      channel.on('close', () => {
        this.outgoing = undefined;
        if (this.deps.publishing.isUp && !this.closed) void this.openOutgoing();
      });
      await channel.assertExchange(this.exchange, 'direct', { durable: true });
      this.outgoing = channel;
    });
  }

  private async openIncoming(): Promise<void> {
    if (this.listeners.size === 0 || !this.deps.consuming.isUp || this.incoming !== undefined) return;
    await this.quietly(async () => {
      const channel = await this.deps.consuming.channel();
      this.incoming = channel;
      channel.on('close', () => {
        this.incoming = undefined;
        this.queue = undefined;
        if (this.deps.consuming.isUp && !this.closed) void this.openIncoming();
      });
      await channel.assertExchange(this.exchange, 'direct', { durable: true });
      const { names, service } = this.deps;
      this.queue = (await channel.assertQueue(names.broadcast(service, randomUUID()), QUEUE)).queue;
      await this.bind(channel, [...this.listeners.keys()]);
      await channel.consume(
        this.queue,
        (message) => message && this.receive(topicOf(message.fields.routingKey), message.content),
        {
          noAck: true,
        },
      );
    });
  }

  private async bind(channel: Channel, topics: readonly string[]): Promise<void> {
    const { queue } = this;
    // Without a queue, opening is in progress and will bind every topic that is known then.
    if (queue === undefined) return;
    await this.quietly(async () => {
      for (const topic of topics) await channel.bindQueue(queue, this.exchange, keyOf(topic));
    });
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

  private async quietly(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.closed) this.deps.log.debug({ err: error }, 'broadcast.failed');
    }
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
