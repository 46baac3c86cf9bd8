import type { ServiceName } from '@pay/contracts';
import { closeQuietly, type BrokerConnection } from './connection';
import type { MessagingMetrics } from './metrics';
import { QUEUES, type Names } from './topology';

const EVERY_MS = 15_000;

export interface WatchParkedDeps {
  readonly connection: BrokerConnection;
  readonly names: Names;
  readonly service: ServiceName;
  readonly metrics: Pick<MessagingMetrics, 'parkedMessages'>;
}

/** Keeps the gauge of messages in this service's parked queues. */
export function watchParked(deps: WatchParkedDeps): { stop(): void } {
  const timer = setInterval(() => void count(deps), EVERY_MS).unref();
  deps.connection.once('up', () => void count(deps));
  return { stop: () => clearInterval(timer) };
}

async function count({ connection, names, service, metrics }: WatchParkedDeps): Promise<void> {
  const own = QUEUES.filter((queue) => queue.startsWith(`${service}.`));
  try {
    const channel = await connection.channel();
    for (const queue of own) {
      const { messageCount } = await channel.checkQueue(names.parked(queue));
      metrics.parkedMessages.set({ queue }, messageCount);
    }
    await closeQuietly(channel);
  } catch {
    // The next round tries again; a broker that is away shows in the gauge of connections.
  }
}
