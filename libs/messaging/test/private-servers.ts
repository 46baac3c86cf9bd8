import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, startRabbitMq, type LocalPostgres, type LocalRabbitMq } from '@pay/local-servers';

export interface Owned<Server> {
  readonly server: Server;
  end(): Promise<void>;
}

/** A broker of this spec's own, to be killed and blocked. */
export async function ownRabbitMq(): Promise<Owned<LocalRabbitMq>> {
  const stateDir = mkdtempSync(join(tmpdir(), 'messaging-rabbitmq-'));
  const server = await startRabbitMq({ stateDir, log: () => undefined });
  return {
    server,
    async end() {
      await server.stop();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

/** A Postgres of this spec's own, to be killed. */
export async function ownPostgres(): Promise<Owned<LocalPostgres>> {
  const stateDir = mkdtempSync(join(tmpdir(), 'messaging-postgres-'));
  const server = await startPostgres({ stateDir, log: () => undefined });
  return {
    server,
    async end() {
      await server.stop();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}
