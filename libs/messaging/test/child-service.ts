/**
 * A small service in a separate process, for tests that kill it at a certain moment. Settings are JSON in CHILD; each
 * step is reported by a line on standard output.
 */
import type { EventOf } from '@pay/contracts';
import { openDatabase, type Transaction } from '@pay/persistence';
import { createLogger, createMetrics } from '@pay/runtime';

import { openTestMessaging, QUICK_TIMINGS } from './support';
import { ownerOf } from '../src/broker/topology';
import type { Timings } from '../src/timings';
import { anEvent, migrations, QUEUE, record } from './fixture';

export interface ChildSettings {
  readonly databaseUrl: string;
  readonly amqpUrl: string;
  readonly namespace: string;
  /** Events to publish, one transaction each. */
  readonly publish?: readonly string[];
  /** Events to publish on SIGUSR2. */
  readonly publishOnSignal?: readonly string[];
  readonly consume?: boolean;
  readonly timings?: Partial<Timings>;
  /** Maximum number of events per transaction. */
  readonly batchSize?: number;
  /** The process exits when it handles the event with this sequence. */
  readonly diesOf?: number;
}

async function main(): Promise<void> {
  const settings = JSON.parse(process.env['CHILD'] ?? '{}') as ChildSettings;
  const log = createLogger({ service: 'child', level: process.env['SPEC_LOG'] ?? 'silent' });
  const { databaseUrl: url, amqpUrl, namespace } = settings;
  const db = await openDatabase({ url, poolSize: 4, applicationName: 'child', log, migrations });
  const messaging = await openTestMessaging({
    url: amqpUrl,
    namespace,
    service: 'intent-api',
    db,
    log,
    metrics: createMetrics('child'),
    consumesFor: [ownerOf(QUEUE)],
    timings: { ...QUICK_TIMINGS, ...settings.timings },
  });
  const stopping = new AbortController();
  const workers = [messaging.relay()];
  if (settings.consume) {
    const handle = async (tx: Transaction, events: readonly EventOf[]) => {
      await record(tx, events);
      if (events.some((event) => event.sequence === settings.diesOf)) process.exit(7);
    };
    workers.push(messaging.consumer({ queue: QUEUE, handle, batchSize: settings.batchSize ?? 100 }));
  }
  const running = Promise.all(workers.map((worker) => worker.run(stopping.signal)));
  async function publish(ids: readonly string[] = []): Promise<void> {
    for (const id of ids) {
      await db.transaction((tx) => messaging.publish(tx, [anEvent({ id })]));
      process.stdout.write(`committed ${id}\n`);
    }
  }
  process.on('SIGUSR2', () => void publish(settings.publishOnSignal));
  await publish(settings.publish);
  process.stdout.write('ready\n');
  process.on('SIGTERM', () => stopping.abort());
  await running;
  await messaging.close();
  await db.close();
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
