import pg from 'pg';
import { withOpened, type Opened } from './opened';
import { percentiles, type Percentiles } from './scenarios';
import { steadily } from './steadily';

/** At saturation several INSERTs run concurrently. A steady rate of 50/s uses one connection. */
const CONNECTIONS = 8;

interface Rate {
  readonly perSecond: number;
  readonly seconds: number;
}

/** Milliseconds of an INSERT with its commit at a steady rate: the lower bound for storing a payment. */
export async function insertLatency(opened: Opened, postgresUrl: string, rate: Rate): Promise<Percentiles> {
  const { perSecond, seconds } = rate;
  const table = `floor_of_latency_${process.pid}`;
  const latencies: number[] = [];
  return withOpened(opened, async (own) => {
    const pool = await own.open(
      () => new pg.Pool({ connectionString: postgresUrl, max: CONNECTIONS }),
      (it) => it.end(),
    );
    await own.open(
      () => pool.query(`create table ${table} (id bigint primary key, body text not null)`),
      () => pool.query(`drop table ${table}`),
    );
    await steadily(perSecond, perSecond * seconds, async (number) => {
      const sentAt = performance.now();
      await pool.query(`insert into ${table} values ($1, $2)`, [number, 'x'.repeat(450)]);
      latencies.push(performance.now() - sentAt);
    });
    return percentiles(latencies);
  });
}
