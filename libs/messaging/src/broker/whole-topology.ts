import { declareExchanges, declareWhole, queuesExist } from './declare-topology';
import { TIMINGS, type Timings } from '../timings';
import { familyOf, namesIn, QUEUES } from './topology';
import { withConnection } from './with-connection';

export interface AdministratorOptions {
  /** The account must be permitted to configure, write and read all names in the namespace. */
  readonly url: string;
  readonly namespace: string;
  /** For tests: replaces the delays of the retry queues. */
  readonly timings?: Pick<Timings, 'retryMs'>;
}

/**
 * Declares every exchange, queue and binding, for a new broker. On a broker that lost its queues the events since then
 * would be lost: see `declareAllExchanges`.
 */
export async function declareTopology({ url, namespace, timings = TIMINGS }: AdministratorOptions): Promise<void> {
  await withConnection(url, (connection) => declareWhole({ connection, names: namesIn(namespace), timings }));
}

/**
 * For an administrator: no service may declare the exchanges of events. Services create their own queues and request
 * the events that these have missed.
 */
export async function declareAllExchanges({ url, namespace }: Omit<AdministratorOptions, 'timings'>): Promise<void> {
  await withConnection(url, (connection) => declareExchanges({ connection, names: namesIn(namespace) }));
}

/**
 * Deletes all messages after all databases were restored to a point in time, because earlier events are in the outboxes
 * and later ones refer to lost facts; returns their number. Throws while a queue has a consumer.
 */
export async function deleteMessages({ url, namespace }: AdministratorOptions): Promise<number> {
  let deleted = 0;
  await withConnection(url, async (connection) => {
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
