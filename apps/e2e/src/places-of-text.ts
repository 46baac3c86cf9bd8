import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import amqp from 'amqplib';
import type { ServiceDatabases } from './service-databases';
import type { RunningSystem } from './system';

/** Tables of all services with the text in a column of any type. Binary columns are searched as bytes. */
export async function tablesWith(system: RunningSystem, databases: ServiceDatabases, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const service of Object.keys(system.databaseUrls)) {
    const { rows } = await databases.query<{ name: string }>(service, TABLES);
    for (const { name } of rows) {
      const sql = `select from ${name} kept where strpos(kept::text, $1) > 0 or strpos(kept::text, $2) > 0 limit 1`;
      const { rowCount } = await databases.query(service, sql, [text, Buffer.from(text).toString('hex')]);
      if (rowCount !== 0) found.push(name);
    }
  }
  return found.toSorted();
}

const TABLES = `select format('%I.%I', nspname, relname) as name
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
 where relkind in ('r', 'p') and nspname !~ '^pg_' and nspname <> 'information_schema'`;

const QUEUES = ['events', 'control'];
const FAMILY = ['', '.retry.5s', '.retry.30s', '.retry.5m', '.parked'];
/** The only overflow queue. */
const OVERFLOW = 'reconciler.events.crowd';

/**
 * Queues with a message that contains the text, including retry and parked queues. Messages stay in their queues;
 * throws if a queue does not exist.
 */
export async function queuesWith(system: RunningSystem, text: string): Promise<string[]> {
  const queues = Object.keys(system.amqpUrls).flatMap((service) =>
    QUEUES.flatMap((kind) => FAMILY.map((suffix) => `${service}.${kind}${suffix}`)),
  );
  const names = [...queues, OVERFLOW].map((queue) => `${system.amqpNamespace}${queue}`);
  const connection = await amqp.connect(system.amqpUrl);
  try {
    const found: string[] = [];
    for (const name of names) if (await holds(connection, name, text)) found.push(name);
    return found;
  } finally {
    await connection.close();
  }
}

async function holds(connection: amqp.ChannelModel, queue: string, text: string): Promise<boolean> {
  const channel = await connection.createChannel();
  channel.on('error', () => undefined);
  const { messageCount } = await channel.checkQueue(queue);
  let isFound = false;
  for (let taken = 0; taken < messageCount; taken += 1) {
    const message = await channel.get(queue);
    if (message === false) break;
    isFound ||= message.content.includes(text);
  }
  // Closing the channel returns unacknowledged messages to their queue.
  await channel.close();
  return isFound;
}

/** Log files that contain the text. */
export function logsWith(runDirectory: string, text: string): string[] {
  const folder = join(runDirectory, 'logs');
  return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text));
}
