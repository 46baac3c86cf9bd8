import type { Messaging } from '../messaging';
import { writeOutbox } from './outbox';
import { isQueueName } from '../broker/topology';

/**
 * Publishing for commands that run without a broker: events wait in the outbox until a sweeper of the service finds
 * them.
 */
export function outboxOnly(): Pick<Messaging, 'publish' | 'reportConflict'> {
  const deps = { timings: { staleAfterMs: 0 } };
  return {
    reportConflict: () => undefined,
    publish(tx, drafts, { queue } = {}) {
      if (queue !== undefined && !isQueueName(queue)) throw new RangeError(`${queue} is not a queue of the topology`);
      writeOutbox(deps, tx, drafts, queue ?? null);
      return Promise.resolve();
    },
  };
}
