import { SERVICES } from '@pay/contracts';
import { familyOf, namesIn, QUEUES } from '../../src/broker/topology';
import { onBroker } from './raw-broker';

export async function dropNamespace(url: string, namespace: string): Promise<void> {
  if (namespace === '') throw new RangeError('the empty namespace is not for tests');
  const names = namesIn(namespace);
  const queues = QUEUES.flatMap((queue) => familyOf(queue, names));
  await Promise.all(
    [0, 1, 2, 3].map((part) =>
      deleteQueues(
        url,
        queues.filter((_, index) => index % 4 === part),
      ),
    ),
  );
  await onBroker(url, async (channel) => {
    for (const service of SERVICES) {
      await channel.deleteExchange(names.events(service));
      await channel.deleteExchange(names.own(service));
    }
  });
}

async function deleteQueues(url: string, queues: readonly string[]): Promise<void> {
  await onBroker(url, async (channel) => {
    for (const queue of queues) await channel.deleteQueue(queue);
  });
}
