import type { EventEmitter } from 'node:events';
import { connect } from 'amqplib';
import type { BrokerConnection } from './connection';

/** Connects, runs the work and closes the connection, which is not opened again when it is lost. */
export async function withConnection<T>(
  url: string,
  use: (connection: Pick<BrokerConnection, 'channel' | 'confirmChannel'>) => Promise<T>,
): Promise<T> {
  const connection = quiet(await connect(url, { noDelay: true }));
  try {
    return await use({
      channel: async () => quiet(await connection.createChannel()),
      confirmChannel: async () => quiet(await connection.createConfirmChannel()),
    });
  } finally {
    await connection.close().catch(() => undefined);
  }
}

/** An `error` event without a listener ends the process. The pending call rejects with the same error. */
function quiet<Emitter extends EventEmitter>(emitter: Emitter): Emitter {
  return emitter.on('error', () => undefined);
}
