import { connect } from 'amqplib';
import { declareWhole, queuesExist } from './declare-topology';
import { TIMINGS, type Timings } from '../timings';
import { familyOf, namesIn, QUEUES } from './topology';

export interface AdministratorOptions {
  /** Requires an account that may configure, write and read all names in the namespace. */
  readonly url: string;
  readonly namespace: string;
  /** For tests: replaces the delays of the retry queues. */
  readonly timings?: Pick<Timings, 'retryMs'>;
}

/**
 * Declares every exchange, queue and binding. Services declare their own queues; this adds the event exchanges, which
 * no service may declare, and bindings that an upgrade needs in advance.
 */
export async function declareTopology({ url, namespace, timings = TIMINGS }: AdministratorOptions): Promise<void> {
  await asAdministrator(url, (connection) => declareWhole({ connection, names: namesIn(namespace), timings }));
}

/**
 * Deletes all messages after all databases were restored to a point in time, because earlier events are in the outboxes
 * and later ones refer to lost facts; returns their number. Throws while a queue has a consumer.
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
