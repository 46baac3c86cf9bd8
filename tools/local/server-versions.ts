import { connect } from 'amqplib';
import { Client } from 'pg';

/** Part of the key of cached test results. */
export async function serverVersions(postgresUrl: string, amqpUrl: string): Promise<string> {
  const client = new Client({ connectionString: postgresUrl });
  await client.connect();
  const { rows } = await client.query<{ version: string }>('select version()');
  await client.end();
  const connection = await connect(amqpUrl);
  const { product, version, platform } = connection.connection.serverProperties;
  await connection.close();
  return [rows[0]?.version, product, version, platform].join(' ');
}
