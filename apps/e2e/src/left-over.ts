import amqp from 'amqplib';
import { ServiceDatabases } from './service-databases';
import type { RunningSystem } from './system';

const SERVICES = ['intent-api', 'checkout-api', 'sms-ingest', 'reconciler', 'webhook-dispatcher', 'dashboard-api'];

/** Unpublished outbox rows and messages in work, retry and parked queues. Empty if nothing is in progress. */
export async function leftOver(system: RunningSystem): Promise<string[]> {
  const found: string[] = [];
  const databases = new ServiceDatabases(system);
  try {
    for (const service of SERVICES) {
      const sql = `select count(*) from ${service.replace('-', '_')}.outbox_pending`;
      const { rows } = await databases.query<{ count: string }>(service, sql);
      if (rows[0]?.count !== '0') found.push(`${service}: ${rows[0]?.count} events unpublished`);
    }
  } finally {
    await databases.close();
  }
  const connection = await amqp.connect(system.amqpUrl);
  try {
    const channel = await connection.createChannel();
    for (const service of SERVICES) {
      for (const suffix of [
        'events',
        'events.retry.5s',
        'events.retry.30s',
        'events.retry.5m',
        'events.parked',
        'control',
        'control.parked',
      ]) {
        const queue = `${system.amqpNamespace}${service}.${suffix}`;
        const { messageCount } = await channel.checkQueue(queue);
        if (messageCount > 0) found.push(`${queue}: ${messageCount} messages`);
      }
    }
  } finally {
    await connection.close();
  }
  return found;
}
