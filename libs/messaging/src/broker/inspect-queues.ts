import { isNotFound } from './declare-topology';
import { isFair, namesIn, QUEUES, type QueueName } from './topology';
import { withConnection } from './with-connection';

export interface QueueState {
  readonly queue: QueueName;
  /** False when the work queue, its parked queue or its overflow queue is missing. */
  readonly exists: boolean;
  readonly messages: number;
  readonly consumers: number;
  readonly parked: number;
}

const MISSING = { exists: false, messages: 0, consumers: 0, parked: 0 };

/** The counts of every queue of the topology, for operators. Reads no messages. */
export async function inspectQueues(options: {
  readonly url: string;
  readonly namespace: string;
}): Promise<QueueState[]> {
  const names = namesIn(options.namespace);
  return withConnection(options.url, async (connection) => {
    const states: QueueState[] = [];
    for (const queue of QUEUES) {
      // The broker closes a channel that checks a missing queue.
      const channel = await connection.channel();
      try {
        const work = await channel.checkQueue(names.work(queue));
        const parked = await channel.checkQueue(names.parked(queue));
        const side = isFair(queue) ? await channel.checkQueue(names.overflow(queue)) : undefined;
        states.push({
          queue,
          exists: true,
          messages: work.messageCount + (side?.messageCount ?? 0),
          consumers: work.consumerCount,
          parked: parked.messageCount,
        });
        await channel.close();
      } catch (error) {
        if (!isNotFound(error)) throw error;
        states.push({ queue, ...MISSING });
      }
    }
    return states;
  });
}
