import type { Channel } from 'amqplib';
import { backOff, type BackOff } from '@pay/runtime';
import { OUTAGE_WAITS } from '../timings';
import { closeQuietly, type BrokerConnection } from './connection';

export interface KeptChannelDeps {
  readonly connection: BrokerConnection;
  readonly prepare: (channel: Channel) => Promise<void>;
  /** The channel could not be opened or prepared, or is being closed. */
  readonly onFailure: (error: unknown) => void;
  /** For tests: replaces the waits before the channel is opened again. */
  readonly pauses?: BackOff | undefined;
}

/** A channel that is opened again when it was closed, with increasing waits while the broker refuses it. */
export class KeptChannel {
  private channel: Channel | undefined;
  private prepared: Channel | undefined;
  private running: Promise<void> | undefined;
  private readonly stopping = new AbortController();
  private readonly pauses: BackOff;

  constructor(private readonly deps: KeptChannelDeps) {
    this.pauses = deps.pauses ?? backOff(OUTAGE_WAITS);
  }

  get current(): Channel | undefined {
    return this.prepared;
  }

  open(): void {
    this.running ??= this.keepOpen(this.stopping.signal);
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await closeQuietly(this.channel);
  }

  private async keepOpen(signal: AbortSignal): Promise<void> {
    const { connection, prepare, onFailure } = this.deps;
    while (!signal.aborted) {
      try {
        await connection.untilUp(signal);
        const channel = await connection.channel();
        this.channel = channel;
        const closed = new Promise<void>((resolve) => channel.once('close', resolve));
        await prepare(channel);
        this.pauses.reset();
        this.prepared = channel;
        await closed;
      } catch (error) {
        onFailure(error);
      }
      this.prepared = undefined;
      await closeQuietly(this.channel);
      if (connection.isUp) await this.pauses.wait(signal);
    }
  }
}
