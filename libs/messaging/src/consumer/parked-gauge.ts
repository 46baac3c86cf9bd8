import type { ServiceName } from '@pay/contracts';
import { closeQuietly, type BrokerConnection } from '../broker/connection';
import type { MessagingMetrics } from '../metrics';
import { isFair, queuesOf, type Names } from '../broker/topology';

const EVERY_MS = 15_000;

export interface WatchParkedDeps {
  readonly connection: BrokerConnection;
  readonly names: Names;
  readonly service: ServiceName;
  readonly metrics: Pick<MessagingMetrics, 'parkedMessages' | 'queueMessages'>;
}

export function watchParked(deps: WatchParkedDeps): { stop(): void } {
  const timer = setInterval(() => void count(deps), EVERY_MS).unref();
  deps.connection.once('up', () => void count(deps));
  return { stop: () => clearInterval(timer) };
}

async function count({ connection, names, service, metrics }: WatchParkedDeps): Promise<void> {
  try {
    const channel = await connection.channel();
    for (const queue of queuesOf(service)) {
      const { messageCount } = await channel.checkQueue(names.parked(queue));
      metrics.parkedMessages.set({ queue }, messageCount);
      const work = await channel.checkQueue(names.work(queue));
      const overflow = isFair(queue) ? await channel.checkQueue(names.overflow(queue)) : undefined;
      metrics.queueMessages.set({ queue }, work.messageCount + (overflow?.messageCount ?? 0));
    }
    await closeQuietly(channel);
  } catch {
    // The next round tries again; the connection gauge shows an unavailable broker.
  }
}
