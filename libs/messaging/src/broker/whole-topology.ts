import { connect } from 'amqplib';
import { declareWhole, queuesExist } from './declare-topology';
import { TIMINGS, type Timings } from '../timings';
import { familyOf, formerExchangesIn, namesIn, QUEUES } from './topology';

export interface AdministratorOptions {
  /** Of an account that may configure, write and read everything under the namespace. */
  readonly url: string;
  readonly namespace: string;
  /** For tests: other waits of the retry queues than the built-in ones. */
  readonly timings?: Pick<Timings, 'retryMs'>;
}

/**
 * Declares every exchange, queue and binding. Services make their own queues by themselves; this makes the exchanges of
 * events, which none of them may declare, and before an upgrade the bindings that services of the new version publish
 * to.
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

/**
 * Deletes all messages. For a restore of all databases to a point in time: what was published before it is in their
 * outboxes, and what was published later is about facts that their owners have lost. Throws while a queue has a
 * consumer. Returns the number of messages.
 */
export async function deleteMessages({ url, namespace }: AdministratorOptions): Promise<number> {
  let deleted = 0;
  await asAdministrator(url, async (connection) => {
    const queues = QUEUES.flatMap((queue) => familyOf(queue, namesIn(namespace)));
    const existing: string[] = [];
    for (const queue of queues) if (await queuesExist(connection, [queue])) existing.push(queue);
    const channel = await connection.channel();
    for (const queue of existing) {
      const { consumerCount } = await channel.checkQueue(queue);
      if (consumerCount > 0) throw new Error(`The queue ${queue} has a consumer. Stop all services first.`);
    }
    for (const queue of existing) deleted += (await channel.purgeQueue(queue)).messageCount;
    await channel.close();
  });
  return deleted;
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
