import amqp from 'amqplib';
import pg from 'pg';
import type { RunningSystem } from './system';

const SCHEMAS = ['intent_api', 'checkout_api', 'sms_ingest', 'reconciler', 'webhook_dispatcher', 'dashboard_api'];
const SERVICES = SCHEMAS.map((schema) => schema.replace('_', '-'));

/** What has not been carried through: unpublished outbox rows and messages in work, retry and parked queues. Empty at rest. */
export async function leftOver(system: RunningSystem): Promise<string[]> {
  const found: string[] = [];
  const client = new pg.Client({ connectionString: system.postgresUrl });
  await client.connect();
  try {
    for (const schema of SCHEMAS) {
      const { rows } = await client.query<{ count: string }>(`select count(*) from ${schema}.outbox_pending`);
      if (rows[0]?.count !== '0') found.push(`${schema}: ${rows[0]?.count} events unpublished`);
    }
  } finally {
    await client.end();
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
