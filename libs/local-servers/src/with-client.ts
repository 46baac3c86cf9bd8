import { Client } from 'pg';

export async function withClient(
  url: string,
  work: (client: Client) => Promise<unknown>,
  connectionTimeoutMillis = 10_000,
): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis });
  // Queries reject with the same error.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
