import pg from 'pg';
import { percentiles, type Percentiles } from './scenarios';
import { steadily } from './steadily';

/**
 * Milliseconds of one INSERT with its commit, at a steady rate on one connection: the least that a stored payment can
 * take on this machine.
 */
export async function insertLatency(postgresUrl: string, perSecond: number, seconds: number): Promise<Percentiles> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  const table = `floor_of_latency_${process.pid}`;
  const latencies: number[] = [];
  try {
    await client.query(`create table ${table} (id bigint primary key, body text not null)`);
    await steadily(perSecond, perSecond * seconds, async (number) => {
      const sentAt = performance.now();
      await client.query(`insert into ${table} values ($1, $2)`, [number, 'x'.repeat(450)]);
      latencies.push(performance.now() - sentAt);
    });
    return percentiles(latencies);
  } finally {
    await client.query(`drop table if exists ${table}`);
    await client.end();
  }
}
