import pg from 'pg';
import { percentiles, type Percentiles } from './scenarios';
import { steadily } from './steadily';

/** At saturation several INSERTs run concurrently. A steady rate of 50/s uses one connection. */
const CONNECTIONS = 8;

/** Milliseconds of an INSERT with its commit at a steady rate: the lower bound for storing a payment. */
export async function insertLatency(postgresUrl: string, perSecond: number, seconds: number): Promise<Percentiles> {
  const pool = new pg.Pool({ connectionString: postgresUrl, max: CONNECTIONS });
  const table = `floor_of_latency_${process.pid}`;
  const latencies: number[] = [];
  try {
    await pool.query(`create table ${table} (id bigint primary key, body text not null)`);
    await steadily(perSecond, perSecond * seconds, async (number) => {
      const sentAt = performance.now();
      await pool.query(`insert into ${table} values ($1, $2)`, [number, 'x'.repeat(450)]);
      latencies.push(performance.now() - sentAt);
    });
    return percentiles(latencies);
  } finally {
    await pool.query(`drop table if exists ${table}`);
    await pool.end();
  }
}
