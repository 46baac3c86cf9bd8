import pg from 'pg';
import { databaseOf, type RunningSystem } from './system';

/** Connects as the superuser. A query cannot reach two services. */
export class ServiceDatabases {
  private readonly clients = new Map<string, Promise<pg.Client>>();

  constructor(private readonly system: RunningSystem) {}

  async query<Row extends pg.QueryResultRow = Record<string, unknown>>(
    service: string,
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<pg.QueryResult<Row>> {
    const known = this.clients.get(service) ?? this.connect(service);
    this.clients.set(service, known);
    return (await known).query<Row>(sql, [...values]);
  }

  async close(): Promise<void> {
    const clients = await Promise.all(this.clients.values());
    this.clients.clear();
    await Promise.all(clients.map((client) => client.end()));
  }

  private async connect(service: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: databaseOf(this.system, service) });
    await client.connect();
    return client;
  }
}
