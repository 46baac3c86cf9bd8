import type { PoolClient } from 'pg';
import { DataSource, type Logger, type MigrationInterface } from 'typeorm';
import { boundedSessions } from './bounded-sessions';
import type { Log } from './log';

export interface DataSourceOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly applicationName: string;
  /** 0 for none. */
  readonly statementTimeoutMs: number;
  readonly settings?: Readonly<Record<string, string>>;
  readonly log: Log;
  /** Receives the stream of each new connection. */
  readonly onConnect?: (stream: unknown) => void;
  readonly migrations?: (new () => MigrationInterface)[];
}

/** Maximum wait for a connection, new or pooled, before the database counts as lost. */
const CONNECT_TIMEOUT_MS = 5_000;
const CONNECTION_LIFETIME_SECONDS = 30 * 60;
const IDLE_TRANSACTION_TIMEOUT_MS = 30_000;
/** The server cancels a statement itself; a response that is this much later will never arrive. */
const READ_TIMEOUT_MARGIN_MS = 5_000;

/** TypeORM would print to the console; errors are thrown anyway. */
const SILENT: Logger = {
  logQuery: () => undefined,
  logQueryError: () => undefined,
  logQuerySlow: () => undefined,
  logSchemaBuild: () => undefined,
  logMigration: () => undefined,
  log: () => undefined,
};

export function dataSource(options: DataSourceOptions): DataSource {
  const {
    url,
    poolSize,
    applicationName,
    statementTimeoutMs,
    settings = {},
    log,
    onConnect,
    migrations = [],
  } = options;
  const limitSessions = boundedSessions(poolSize);
  return new DataSource({
    type: 'postgres',
    url,
    poolSize,
    applicationName,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    migrations,
    logger: SILENT,
    synchronize: false,
    installExtensions: false,
    // Without a listener, a server restart ends every process that has an idle connection.
    poolErrorHandler: (error: unknown) => {
      log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'database.idle_connection_lost');
    },
    extra: {
      ...unixSocket(url),
      onConnect: (client: PoolClient) => {
        onConnect?.((client as PoolClient & { readonly connection: { readonly stream: unknown } }).connection.stream);
        return limitSessions(client);
      },
      // Pipelining: independent statements share a round trip.
      pipeline: true,
      // Connections are kept because they hold prepared statements and plans. After a failover the next connection
      // finds the new server.
      idleTimeoutMillis: 0,
      maxLifetimeSeconds: CONNECTION_LIFETIME_SECONDS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
      ...(Object.keys(settings).length > 0 && { options: commandLine(settings) }),
      ...(statementTimeoutMs > 0
        ? { statement_timeout: statementTimeoutMs, query_timeout: statementTimeoutMs + READ_TIMEOUT_MARGIN_MS }
        : {}),
    },
  });
}

/** `?host=/folder` is the folder of a Unix socket, as in libpq. TypeORM ignores everything after the database name. */
function unixSocket(url: string): { readonly host?: string } {
  const host = new URL(url).searchParams.get('host');
  return host === null ? {} : { host };
}

/** Example: { enable_seqscan: 'off' } becomes `-c enable_seqscan=off`. */
function commandLine(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}
