import { connect } from 'amqplib';
import { declareWhole } from './declare-topology';
import { TIMINGS, type Timings } from './timings';
import { formerExchangesIn, namesIn } from './topology';

export interface AdministratorOptions {
  /** Of an account that may configure, write and read everything under the namespace. */
  readonly url: string;
  readonly namespace: string;
  /** For tests: other waits of the retry queues than the built-in ones. */
  readonly timings?: Pick<Timings, 'retryMs'>;
}

/**
 * Declares every exchange, queue and binding. Services make their own queues by themselves; this makes the exchanges of events, which
 * none of them may declare, and before an upgrade the bindings that services of the new version publish to.
 */
export async function declareTopology({ url, namespace, timings = TIMINGS }: AdministratorOptions): Promise<void> {
  await asAdministrator(url, (connection) =>
    declareWhole({ connection, namespace, names: namesIn(namespace), timings }),
  );
}

/** Deletes the exchanges that earlier versions shared. Only when no process of such a version runs any more. */
export async function removeFormerExchanges({ url, namespace }: AdministratorOptions): Promise<void> {
  await asAdministrator(url, async ({ channel: open }) => {
    const channel = await open();
    for (const exchange of formerExchangesIn(namespace)) await channel.deleteExchange(exchange);
    await channel.close();
  });
}

type Channels = Parameters<typeof declareWhole>[0]['connection'];

async function asAdministrator(url: string, work: (connection: Channels) => Promise<void>): Promise<void> {
  const connection = await connect(url, { noDelay: true });
  connection.on('error', () => undefined);
  try {
    await work({
      async channel() {
        const channel = await connection.createChannel();
        channel.on('error', () => undefined);
        return channel;
      },
    });
  } finally {
    await connection.close().catch(() => undefined);
  }
}
