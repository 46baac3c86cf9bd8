import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** An empty database of this spec's own on the test server. */
export async function scratchDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const superuser = process.env['TEST_POSTGRES_URL'];
  if (superuser === undefined)
    throw new Error('TEST_POSTGRES_URL is not set: run integration tests through `npm test`');
  const name = `persistence_${randomBytes(6).toString('hex')}`;
  await asSuperuser(superuser, `create database ${name}`);
  const url = new URL(superuser);
  url.pathname = `/${name}`;
  return { url: url.toString(), drop: () => asSuperuser(superuser, `drop database ${name} with (force)`) };
}

export async function asSuperuser(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Collects what is logged. */
export function memoryLog() {
  const lines: { level: string; message: string }[] = [];
  const at = (level: string) => (_fields: object, message: string) => void lines.push({ level, message });
  return { lines, info: at('info'), warn: at('warn'), error: at('error') };
}
