import { openDirectory, type Directory, type DirectoryDeps } from '@pay/directory';
import { httpServer, type HttpServerOptions } from '@pay/http';
import { openMessaging, type Messaging } from '@pay/messaging';
import { openDatabase, openDatabaseClock, type Database, type OpenDatabaseOptions } from '@pay/persistence';
import {
  brokerOf,
  newId,
  type Closable,
  type OpenedService,
  type ProcessSettings,
  type ServiceBase,
  type Worker,
} from '@pay/runtime';

/** Resources of every service of the data plane. */
export interface DataServiceDeps<Settings> extends ServiceBase<Settings> {
  readonly db: Database;
  readonly messaging: Messaging;
  readonly directory: Directory;
  readonly now: () => Date;
  readonly newId: () => string;
}

interface DataServiceOptions<Config>
  extends
    ServiceBase<Config>,
    Pick<OpenDatabaseOptions, 'migrations'>,
    Pick<DirectoryDeps, 'service' | 'kinds' | 'lookup' | 'onChange'> {
  /** Connections of DATABASE_POOL_SIZE that the service opens separately. Default: 0. */
  readonly separateConnections?: number;
}

interface DataServiceParts extends Pick<OpenedService, 'internalApp'> {
  /** Listens on PORT. */
  readonly app?: HttpServerOptions['app'];
  readonly workers: readonly Worker[];
}

/**
 * Opens the resources of a data-plane service. `complete` adds them to the parts of the service; `close` lists what the
 * service has opened itself, which is closed first.
 */
export async function openDataService<Config extends ProcessSettings & { readonly PORT?: number }>({
  config,
  log,
  metrics,
  service,
  migrations,
  separateConnections = 0,
  ...copy
}: DataServiceOptions<Config>) {
  const { DATABASE_URL: url, HOST: host, PORT: port, IDLE_CONNECTION_GRACE_MS: idleGraceMs } = config;
  const poolSize = Math.max(1, config.DATABASE_POOL_SIZE - separateConnections);
  const db = await openDatabase({ url, poolSize, applicationName: service, log, metrics, migrations });
  const { now, worker: clockWorker } = await openDatabaseClock({ db, log, metrics });
  const messaging = await openMessaging({ ...brokerOf(config), service, db, log, metrics });
  const directory = openDirectory({ ...copy, db, messaging, service, log, now });
  const deps: DataServiceDeps<Config> = { config, db, messaging, directory, log, metrics, now, newId };
  return {
    deps,
    complete: ({ app, internalApp, workers }: DataServiceParts, close: readonly Closable[]): OpenedService => {
      const servers = app && port !== undefined ? [httpServer({ app, host, port, log, idleGraceMs })] : [];
      return {
        workers: [clockWorker, ...workers, ...servers],
        close: [db, messaging, ...close],
        internalApp,
        checks: { database: () => db.ping(), ...messaging.checks },
      };
    },
  };
}
