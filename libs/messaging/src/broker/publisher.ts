import { EventEmitter } from 'node:events';
import type { ConfirmChannel } from 'amqplib';
import { setTimeout as delay } from 'node:timers/promises';
import { backOff, type Logger } from '@pay/runtime';
import { closeQuietly, type BrokerConnection } from './connection';
import { isNotFound } from './declare-topology';
import { BrokerUnavailable, Unroutable } from '../errors';
import type { MessagingMetrics } from '../metrics';
import { OUTAGE_WAITS, type Timings } from '../timings';

export interface OutgoingMessage {
  readonly exchange: string;
  readonly routingKey: string;
  readonly id: string;
  readonly type: string | undefined;
  readonly body: Buffer;
  readonly headers?: Readonly<Record<string, string | number>> | undefined;
}

/**
 * confirmed: a quorum stored it. returned: no queue is bound. refused: a queue is full or cannot store it now. lost:
 * unknown, it may have arrived.
 */
export type Outcome = 'confirmed' | 'returned' | 'refused' | 'lost';

export interface PublisherDeps {
  readonly connection: BrokerConnection;
  /** Runs before the first message of every connection. */
  readonly assertTopology: () => Promise<void>;
  readonly timings: Pick<Timings, 'confirmTimeoutMs'>;
  readonly log: Logger;
  readonly metrics: Pick<MessagingMetrics, 'confirmSeconds' | 'unconfirmed'>;
}

interface Sent {
  readonly at: number;
  readonly done: (outcome: Outcome) => void;
}

const REOPEN_PAUSE_MS = 500;
const STUCK_CHECK_MS = 1_000;
/** Pause for a routing key after the broker has refused it, because each refusal closes the channel for all keys. */
const REFUSED_FOR_MS = 60_000;
/**
 * Number of timeouts after which an unconfirmed message is sent again on a new channel although others are confirmed.
 */
const OVERDUE_TIMEOUTS = 2;

/**
 * The only publishing channel of this process: persistent, mandatory, confirmed. It reopens after the topology is
 * asserted, and emits `writable` when it can send again and `exchangeMissing` when the exchange does not exist.
 */
export class Publisher extends EventEmitter<{ writable: []; exchangeMissing: [] }> {
  private channel: ConfirmChannel | undefined;
  /** A stuck channel until the broker has answered its close. */
  private closing: ConfirmChannel | undefined;
  private opening: Promise<void> | undefined;
  private readonly stopping = new AbortController();
  private readonly unconfirmed = new Map<number, Sent>();
  private readonly returned = new Set<string>();
  /** By routing key: until when messages are refused without being sent. */
  private readonly refusedUntil = new Map<string, number>();
  private readonly stuckCheck: NodeJS.Timeout;
  private sequence = 0;
  private failedAt = -Infinity;
  private failsOften = false;
  private lastAnswer = -Infinity;

  constructor(private readonly deps: PublisherDeps) {
    super();
    this.setMaxListeners(0);
    deps.connection.on('up', () => this.open());
    deps.connection.on('unblocked', () => this.announce());
    if (deps.connection.isUp) this.open();
    this.stuckCheck = setInterval(() => this.recycleWhenStuck(), STUCK_CHECK_MS).unref();
  }

  get isWritable(): boolean {
    return this.channel !== undefined && !this.deps.connection.isBlocked;
  }

  /** Sends without waiting. `done` is called exactly once with the result. */
  send(message: OutgoingMessage, done: (outcome: Outcome) => void): void {
    const { channel } = this;
    if (channel === undefined) {
      done('lost');
      return;
    }
    const { exchange, routingKey, id, type, body, headers } = message;
    if ((this.refusedUntil.get(routingKey) ?? 0) > performance.now()) {
      setImmediate(() => done('refused'));
      return;
    }
    const tag = (this.sequence += 1);
    const key = returnKey(exchange, routingKey, id);
    const settle = (outcome: Outcome) => {
      const sent = this.unconfirmed.get(tag);
      if (sent === undefined) return;
      this.unconfirmed.delete(tag);
      this.deps.metrics.unconfirmed.set(this.unconfirmed.size);
      if (outcome !== 'lost') {
        this.lastAnswer = performance.now();
        this.deps.metrics.confirmSeconds.observe((this.lastAnswer - sent.at) / 1000);
      }
      sent.done(outcome);
    };
    this.unconfirmed.set(tag, { at: performance.now(), done });
    this.deps.metrics.unconfirmed.set(this.unconfirmed.size);
    const options = {
      mandatory: true,
      persistent: true,
      contentType: 'application/json',
      messageId: id,
      timestamp: Math.floor(Date.now() / 1000),
      ...(type === undefined ? {} : { type }),
      ...(headers === undefined ? {} : { headers }),
    };
    try {
      channel.publish(exchange, routingKey, body, options, (error: unknown) => {
        // An unroutable message is returned before it is confirmed; the confirm alone would look like success.
        const wasReturned = this.returned.delete(key);
        if (error !== null) settle(isRefusal(error) ? 'refused' : 'lost');
        else settle(wasReturned ? 'returned' : 'confirmed');
      });
    } catch {
      settle('lost');
    }
  }

  /** Sends and waits for the confirm, at most `timeoutMs`. Throws Unroutable or BrokerUnavailable. */
  async confirmed(message: OutgoingMessage, timeoutMs = this.deps.timings.confirmTimeoutMs): Promise<void> {
    if (!this.isWritable) throw new BrokerUnavailable('the broker does not accept messages at the moment');
    const outcome = await new Promise<Outcome>((resolve) => {
      const timer = setTimeout(() => resolve('lost'), timeoutMs);
      this.send(message, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
    });
    if (outcome === 'returned') throw new Unroutable(`no queue is bound to ${message.exchange}/${message.routingKey}`);
    if (outcome !== 'confirmed') throw new BrokerUnavailable('the broker did not confirm');
  }

  async close(): Promise<void> {
    this.stopping.abort();
    clearInterval(this.stuckCheck);
    await this.opening;
    await closeQuietly(this.channel);
  }

  private open(): void {
    if (this.channel !== undefined || this.opening !== undefined || this.stopping.signal.aborted) return;
    this.opening = this.openUntilDone().finally(() => {
      this.opening = undefined;
    });
  }

  private async openUntilDone(): Promise<void> {
    const { connection, assertTopology, log } = this.deps;
    const { signal } = this.stopping;
    // A message that closed the channel twice would close it again if it were sent immediately.
    if (this.failsOften) await delay(REOPEN_PAUSE_MS, undefined, { signal }).catch(() => undefined);
    const pauses = backOff(OUTAGE_WAITS);
    while (connection.isUp && !signal.aborted) {
      try {
        await assertTopology();
        this.use(await connection.confirmChannel());
        return;
      } catch (error) {
        log.warn({ err: error }, 'publisher.open_failed');
        await pauses.wait(signal);
      }
    }
  }

  private use(channel: ConfirmChannel): void {
    channel.on('return', ({ fields, properties }) => {
      this.returned.add(returnKey(fields.exchange, fields.routingKey, String(properties.messageId)));
    });
    channel.on('error', (error: unknown) => {
      const now = performance.now();
      this.failsOften = now - this.failedAt < OUTAGE_WAITS.longestMs;
      this.failedAt = now;
      this.deps.log.error({ err: error }, 'publisher.channel_failed');
      const refusedKey = refusedTopic(error);
      if (refusedKey !== undefined) this.refusedUntil.set(refusedKey, performance.now() + REFUSED_FOR_MS);
      if (isNotFound(error)) this.emit('exchangeMissing');
    });
    channel.on('close', () => {
      if (this.closing === channel) this.closing = undefined;
      else if (this.channel === channel) this.giveUpChannel();
      this.open();
    });
    this.channel = channel;
    this.announce();
  }

  /** Nothing is sent on it any more, and messages that it did not confirm must not wait for ever. */
  private giveUpChannel(): void {
    this.channel = undefined;
    this.returned.clear();
    const sent = [...this.unconfirmed.values()];
    this.unconfirmed.clear();
    this.deps.metrics.unconfirmed.set(0);
    for (const { done } of sent) done('lost');
  }

  private announce(): void {
    if (this.isWritable) this.emit('writable');
  }

  /** A queue that does not confirm must not close the channel of the other queues at every timeout. */
  private recycleWhenStuck(): void {
    const { connection, timings, log } = this.deps;
    const [oldest] = this.unconfirmed.values();
    if (oldest === undefined || connection.isBlocked) return;
    const now = performance.now();
    const isSilent = now - Math.max(oldest.at, this.lastAnswer) >= timings.confirmTimeoutMs;
    if (!isSilent && now - oldest.at < OVERDUE_TIMEOUTS * timings.confirmTimeoutMs) return;
    log.warn({ unconfirmed: this.unconfirmed.size }, 'publisher.confirms_overdue');
    void this.closeStuck();
  }

  private async closeStuck(): Promise<void> {
    const { channel } = this;
    this.closing = channel;
    this.giveUpChannel();
    await closeQuietly(channel);
    if (this.closing === undefined || this.closing !== channel) return;
    this.closing = undefined;
    this.deps.connection.reconnect();
  }
}

/** amqplib's error for a negative confirm. Every other publish error means that the channel has closed. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.message === 'message nacked';
}

/** The routing key that the account may not publish. RabbitMQ reports it only in the error text. */
function refusedTopic(error: unknown): string | undefined {
  const text = error instanceof Error ? error.message : '';
  return /ACCESS.REFUSED.*access to topic '([^']+)'/.exec(text)?.[1];
}

function returnKey(exchange: string, routingKey: string, id: string): string {
  return `${exchange}|${routingKey}|${id}`;
}
