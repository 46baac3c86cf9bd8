import { showCertificateEnd, type Metrics } from '@pay/runtime';
import type { PoolClient, QueryConfig } from 'pg';
import type { DataSource } from 'typeorm';
import { versionedName } from './contract-step';
import { dataSource } from './data-source';
import type { Log } from './log';
import type { Migration } from './migration';
import { refuseUnlessMigrated } from './migrate';
import { PLANNER_SETTINGS } from './planner-settings';
import type { Statement } from './statement';
import { runTransaction, send, type Client, type Queryable, type Transaction } from './transaction';

export interface Database extends Queryable {
  /**
   * READ COMMITTED. Rolls back if `work` throws; if the connection is lost while committing, throws with the outcome
   * unknown.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  ping(): Promise<void>;
  close(): Promise<void>;
  readonly dataSource: DataSource;
}

export interface OpenDatabaseOptions {
  /** Carries the role; the role's search_path is its schema. */
  readonly url: string;
  readonly poolSize: number;
  readonly applicationName: string;
  readonly log: Log;
  readonly migrations: readonly Migration[];
  readonly statementTimeoutMs?: number;
  readonly metrics?: Pick<Metrics, 'counter' | 'gauge'>;
}

/** Connects, and throws if one of `migrations` is pending or was edited. A newer schema only causes a warning. */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const { url, poolSize, applicationName, log, migrations, statementTimeoutMs = 10_000, metrics } = options;
  const name = versionedName(applicationName, migrations);
  const settings = PLANNER_SETTINGS;
  const certificateEnd = metrics?.gauge('tls_certificate_end_timestamp_seconds');
  const onConnect = (stream: unknown) => certificateEnd && showCertificateEnd(certificateEnd, 'postgres', stream);
  const source = dataSource({ url, poolSize, applicationName: name, statementTimeoutMs, settings, log, onConnect });
  await source.initialize();
  try {
    const unknown = await refuseUnlessMigrated(source, migrations);
    if (unknown.length > 0) log.warn({ unknown }, 'database.schema_newer');
  } catch (error) {
    await source.destroy();
    throw error;
  }
  const roundTrips = metrics?.counter('database_round_trips_total');
  return new PooledDatabase(source, log, () => roundTrips?.inc());
}

class PooledDatabase implements Database {
  private readonly sending = new WeakSet<PoolClient>();

  constructor(
    readonly dataSource: DataSource,
    private readonly log: Log,
    private readonly onRoundTrip: () => void,
  ) {}

  query<Row extends object>(sql: Statement | string, values?: readonly unknown[]): Promise<Row[]> {
    return this.onConnection(async (client) => (await send(client, sql, values)).rows as Row[]);
  }

  execute(sql: Statement | string, values?: readonly unknown[]): Promise<number> {
    return this.onConnection(async (client) => (await send(client, sql, values)).rowCount ?? 0);
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const hookFailed = (error: unknown) => this.log.error({ err: error }, 'transaction.hook_failed');
    return this.onConnection((client) => runTransaction(client, work, hookFailed));
  }

  async ping(): Promise<void> {
    await this.execute('select 1');
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
  }

  private async onConnection<T>(use: (client: Client) => Promise<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    try {
      return await use(this.counting((await runner.connect()) as PoolClient));
    } finally {
      await runner.release();
    }
  }

  private counting(client: PoolClient): Client {
    const query = (config: QueryConfig) => {
      this.countRoundTrip(client);
      return client.query(config);
    };
    return { query: query as Client['query'], end: () => client.end() };
  }

  private countRoundTrip(client: PoolClient): void {
    if (this.sending.has(client)) return;
    this.sending.add(client);
    this.onRoundTrip();
    process.nextTick(() => this.sending.delete(client));
  }
}
