import { EventEmitter, once } from 'node:events';
import type { Duplex } from 'node:stream';
import { connect, type Channel, type ChannelModel, type ConfirmChannel, type RecoveringChannelModel } from 'amqplib';
import { showCertificateEnd, type Logger } from '@pay/runtime';
import { BrokerUnavailable } from '../errors';
import type { MessagingMetrics } from '../metrics';

const HEARTBEAT_SECONDS = 10;
const CONNECT_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 3_000;
/** Older versions ignore `at-least-once` of dead letters, which then may be lost. */
const OLDEST_VERSION = '3.10';

export interface BrokerConnectionOptions {
  readonly url: string;
  /**
   * Publishing and consuming use separate connections, because a broker that is short of memory stops reading from
   * publishers.
   */
  readonly purpose: 'publish' | 'consume';
  readonly service: string;
  readonly log: Logger;
  readonly metrics: Pick<MessagingMetrics, 'connectionUp' | 'connectionBlocked' | 'certificateEnd'>;
  /** Connections to older versions of RabbitMQ are closed. */
  readonly oldestVersion?: string;
}

interface Events {
  up: [];
  down: [];
  blocked: [];
  unblocked: [];
}

/**
 * A connection that reconnects forever and emits `up`, `down`, `blocked` and `unblocked`. Channels are not reopened:
 * their owners must watch `close`.
 */
export class BrokerConnection extends EventEmitter<Events> {
  private recovering: RecoveringChannelModel | undefined;
  private model: ChannelModel | undefined;
  private blockedNow = false;
  private closing = false;

  private constructor(private readonly options: BrokerConnectionOptions) {
    super();
    this.setMaxListeners(0);
  }

  /** Starts connecting and returns immediately: an unavailable broker must not prevent a service from starting. */
  static async open(options: BrokerConnectionOptions): Promise<BrokerConnection> {
    const connection = new BrokerConnection(options);
    // Without a value, no alert can fire for a process that never connects.
    options.metrics.connectionUp.set({ connection: options.purpose }, 0);
    connection.setBlocked(false);
    await connection.start();
    return connection;
  }

  get isUp(): boolean {
    return this.model !== undefined;
  }

  get isBlocked(): boolean {
    return this.blockedNow;
  }

  channel(): Promise<Channel> {
    return this.opened((model) => model.createChannel());
  }

  confirmChannel(): Promise<ConfirmChannel> {
    return this.opened((model) => model.createConfirmChannel());
  }

  /** Resolves when connected; rejects when the signal aborts first. */
  async untilUp(signal: AbortSignal): Promise<void> {
    while (!this.isUp) await once(this, 'up', { signal });
  }

  async close(): Promise<void> {
    this.closing = true;
    // Without an answer, the operating system closes the socket with the process.
    await closeQuietly(this.recovering);
    this.lost();
  }

  /** For a broker that does not answer: ends the connection without a handshake, so that it is opened again. */
  reconnect(): void {
    // amqplib's close() would wait for an answer for ever.
    if (this.model) socketOf(this.model)?.destroy(new Error('the broker does not answer'));
  }

  private async start(): Promise<void> {
    const { url, purpose, service, log, oldestVersion = OLDEST_VERSION } = this.options;
    const address = new URL(url);
    if (!address.searchParams.has('heartbeat')) address.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
    this.recovering = await connect(address.toString(), {
      noDelay: true,
      keepAlive: true,
      timeout: CONNECT_TIMEOUT_MS,
      clientProperties: { connection_name: `${service} ${purpose}` },
      recovery: {
        initialDelay: 200,
        maxDelay: 5_000,
        maxRetries: Infinity,
        waitForConnect: false,
        // Listeners of the recovering connection are bound only after setup: an error during it would have no listener
        // and end the process.
        setup: (model: ChannelModel) => {
          this.listenForErrors(model, 'connection');
          // Its `close` event had no listener yet, so amqplib would never connect again.
          if (socketOf(model)?.writableEnded === true) throw new Error('closed by the broker during the handshake');
          return requireVersion(model.connection.serverProperties.version, oldestVersion);
        },
      },
    });
    const recovering = this.recovering;
    this.listenForErrors(recovering, 'connection');
    recovering.on('connect', (model) => this.connected(model));
    recovering.on('disconnect', (error) => {
      if (!this.closing) log.warn({ connection: purpose, reason: error.message }, 'broker.disconnected');
      this.lost();
    });
    recovering.on('connect-failed', (error) =>
      log.warn({ connection: purpose, reason: error.message }, 'broker.connect_failed'),
    );
    recovering.on('blocked', (reason) => {
      log.warn({ connection: purpose, reason }, 'broker.blocked');
      this.setBlocked(true);
    });
    recovering.on('unblocked', () => {
      log.info({ connection: purpose }, 'broker.unblocked');
      this.setBlocked(false);
    });
  }

  private connected(model: ChannelModel): void {
    this.model = model;
    this.options.metrics.connectionUp.set({ connection: this.options.purpose }, 1);
    showCertificateEnd(this.options.metrics.certificateEnd, 'rabbitmq', socketOf(model));
    this.setBlocked(false);
    this.options.log.info({ connection: this.options.purpose }, 'broker.connected');
    this.emit('up');
  }

  private lost(): void {
    if (this.model === undefined) return;
    this.model = undefined;
    this.options.metrics.connectionUp.set({ connection: this.options.purpose }, 0);
    this.setBlocked(false);
    this.emit('down');
  }

  private setBlocked(blocked: boolean): void {
    const changed = blocked !== this.blockedNow;
    this.blockedNow = blocked;
    this.options.metrics.connectionBlocked.set({ connection: this.options.purpose }, blocked ? 1 : 0);
    if (changed) this.emit(blocked ? 'blocked' : 'unblocked');
  }

  private async opened<Kind extends Channel>(open: (model: ChannelModel) => Promise<Kind>): Promise<Kind> {
    const { model } = this;
    if (model === undefined) throw new BrokerUnavailable('not connected to the broker');
    const channel = await open(model);
    // The caller could not see its `close` event, which may arrive together with the answer.
    if (this.model !== model) throw new BrokerUnavailable('the connection has closed');
    this.listenForErrors(channel, 'channel');
    return channel;
  }

  /** An `error` event without a listener ends the process. A `close` event always follows, and callers act on that. */
  private listenForErrors(emitter: NodeJS.EventEmitter, what: string): void {
    const { purpose, log } = this.options;
    emitter.on('error', (error: Error) =>
      log.debug({ connection: purpose, what, reason: error.message }, 'broker.error'),
    );
    emitter.on('handler-error', (error: Error) =>
      log.error({ connection: purpose, what, err: error }, 'broker.listener_failed'),
    );
  }
}

/** amqplib does not declare its socket. */
function socketOf(model: ChannelModel): Duplex | undefined {
  return (model.connection as { readonly stream?: Duplex }).stream;
}

/** Rejects if a version is older than another one, both with numbers between dots. Example: `3.9.13` and `3.10`. */
function requireVersion(version: string, oldest: string): Promise<void> {
  const isOlder = version.localeCompare(oldest, 'en', { numeric: true }) < 0;
  return isOlder
    ? Promise.reject(new Error(`RabbitMQ ${version} is not supported: ${oldest} or later is required`))
    : Promise.resolve();
}

/** Closes a channel or connection that may be closed already. Waits only a few seconds for a broker that hangs. */
export async function closeQuietly(closable: { close(): Promise<void> } | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_TIMEOUT_MS)));
  try {
    await Promise.race([closable?.close(), timeout]);
  } catch {
    // The other side has already closed it.
  }
  clearTimeout(timer);
}
