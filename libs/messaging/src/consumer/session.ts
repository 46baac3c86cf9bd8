import type { Channel, ConsumeMessage } from 'amqplib';
import { eventsIn } from './delivery';
import { closeQuietly, type BrokerConnection } from '../broker/connection';

/** Why a session ended: the broker closed its channel or reported that the queue was deleted. */
export type SessionEnd = 'closed' | 'cancelled';

/**
 * One channel that consumes one queue, until either side closes it. Messages are buffered in order of delivery;
 * unacknowledged ones return to the queue when the channel closes.
 */
export class Session {
  end: SessionEnd | undefined;
  private buffer: ConsumeMessage[] = [];
  private events = 0;
  private wake: () => void = () => undefined;
  /** Last handled message that is not acknowledged yet. */
  private handled: ConsumeMessage | undefined;
  private handledCount = 0;
  private ackTimer: NodeJS.Timeout | undefined;
  private consumerTag = '';

  private constructor(
    private readonly channel: Channel,
    private readonly queue: string,
    private readonly signal: AbortSignal,
    private prefetch: number,
    private readonly ackLingerMs: number,
  ) {}

  static async open(
    connection: BrokerConnection,
    queue: string,
    prefetch: number,
    signal: AbortSignal,
    ackLingerMs: number,
  ): Promise<Session> {
    const channel = await connection.channel();
    const session = new Session(channel, queue, signal, prefetch, ackLingerMs);
    signal.addEventListener('abort', session.stopWaiting);
    channel.on('close', () => session.finish('closed'));
    try {
      await session.consume(prefetch);
    } catch (error) {
      await closeQuietly(channel);
      throw error;
    }
    return session;
  }

  /**
   * Waits for messages and takes those that have arrived, with at most `most` events unless one message has more.
   * Returns nothing when the session or the process ends.
   */
  async take(most: number): Promise<ConsumeMessage[]> {
    if (this.buffer.length === 0 && !this.isOver) await new Promise<void>((resolve) => (this.wake = resolve));
    if (this.isOver) return [];
    let events = 0;
    let count = 0;
    for (const message of this.buffer) {
      const more = eventsIn(message);
      if (count > 0 && events + more > most) break;
      events += more;
      count += 1;
    }
    this.events -= events;
    return this.buffer.splice(0, count);
  }

  /** Waits until `enough` events have arrived or `ms` have passed. */
  async gather(enough: number, ms: number): Promise<void> {
    if (this.events >= enough || this.isOver) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        if (this.events < enough && !this.isOver) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.wake = () => undefined;
  }

  get hasMore(): boolean {
    return this.buffer.length > 0;
  }

  get isOver(): boolean {
    return this.end !== undefined || this.signal.aborted;
  }

  /**
   * Acknowledges this message and all earlier ones after a short delay: an acknowledgement costs the broker as much as
   * a message, and one covers many.
   */
  acknowledgeUpTo(message: ConsumeMessage, messages: number): void {
    this.handled = message;
    this.handledCount += messages;
    if (this.handledCount >= this.prefetch / 2) this.acknowledge();
    else this.ackTimer ??= setTimeout(() => this.acknowledge(), this.ackLingerMs);
  }

  private acknowledge(): void {
    clearTimeout(this.ackTimer);
    this.ackTimer = undefined;
    const { handled } = this;
    this.handled = undefined;
    this.handledCount = 0;
    if (handled === undefined || this.end !== undefined) return;
    try {
      this.channel.ack(handled, true);
    } catch {
      // The channel has closed: the messages are redelivered, and the inbox recognises them.
      this.finish('closed');
    }
  }

  /** Changes the prefetch without returning messages to the queue. */
  async changePrefetch(prefetch: number): Promise<void> {
    this.acknowledge();
    this.prefetch = prefetch;
    await this.channel.cancel(this.consumerTag);
    await this.consume(prefetch);
  }

  async close(): Promise<void> {
    this.acknowledge();
    this.finish('closed');
    await closeQuietly(this.channel);
  }

  private async consume(prefetch: number): Promise<void> {
    await this.channel.prefetch(prefetch);
    const { consumerTag } = await this.channel.consume(this.queue, (message) => {
      if (message === null) {
        this.finish('cancelled');
        return;
      }
      this.buffer.push(message);
      this.events += eventsIn(message);
      this.wake();
    });
    this.consumerTag = consumerTag;
  }

  private readonly stopWaiting = () => this.wake();

  private finish(end: SessionEnd): void {
    this.signal.removeEventListener('abort', this.stopWaiting);
    this.end ??= end;
    clearTimeout(this.ackTimer);
    this.handled = undefined;
    this.buffer = [];
    this.events = 0;
    this.wake();
  }
}
