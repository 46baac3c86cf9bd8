import { setMaxListeners } from 'node:events';
import type { ServiceName } from '@pay/contracts';
import { directoryMigrations, openDirectory, type Directory } from '@pay/directory';
import { messagingMigrations, type Messaging } from '@pay/messaging';
import { migrate, openDatabase, type Database } from '@pay/persistence';
import { createMetrics, type Worker } from '@pay/runtime';
import { openTestMessaging } from '@pay/messaging/testing';
import { amqpUrl, testDatabase } from '@pay/testing';
import { quietLog } from './service-under-test';

export interface CopyOfDirectory {
  readonly db: Database;
  readonly messaging: Messaging;
  readonly directory: Directory;
  readonly resend: Worker;
  stop(): Promise<void>;
}

/** intent-api's copy of the directory: its own database, with real queues. */
export async function startCopy(namespace: string): Promise<CopyOfDirectory> {
  const service: ServiceName = 'intent-api';
  const migrations = [...messagingMigrations, ...directoryMigrations];
  const database = await testDatabase({ service, migrate: (url) => migrate({ url, migrations, log: quietLog }) });
  const common = { service, log: quietLog };
  const db = await openDatabase({
    url: database.url,
    poolSize: 4,
    applicationName: service,
    migrations,
    log: quietLog,
  });
  const messaging = await openTestMessaging({
    ...common,
    url: amqpUrl(),
    namespace,
    db,
    metrics: createMetrics(service),
  });
  const directory = openDirectory({
    ...common,
    db,
    messaging,
    now: () => new Date(),
    kinds: ['merchant', 'api_key', 'receiver_account'],
  });
  const resend = directory.resendWhenEmpty();
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const workers = [messaging.relay(), directory.controlConsumer(), resend];
  const running = Promise.all(workers.map((worker) => worker.run(stop.signal)));
  return {
    db,
    messaging,
    directory,
    resend,
    async stop() {
      stop.abort();
      await running;
      await messaging.close();
      await db.close();
      await database.drop();
    },
  };
}
