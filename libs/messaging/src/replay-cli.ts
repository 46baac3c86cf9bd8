import { setTimeout as delay } from 'node:timers/promises';
import { SERVICES, type ServiceName } from '@pay/contracts';
import { openDatabase, type Database } from '@pay/persistence';
import { createLogger } from '@pay/runtime';
import { messagingMigrations } from './migrations';
import { listReplays, requestReplays, stopReplay, type ReplayProgress } from './operator-actions';
import { isQueueName, QUEUES, type QueueName } from './topology';

const USAGE = `replay request <service> --since=<time> [--queue=<queue>] [--wait]
replay status [--wait]
replay stop --queue=<queue>

request: the service publishes its events again that were written since then, to every queue that takes them or to one.
         At most 1,000 events a second, and only while no live event waits. Consumers ignore what they have handled. --wait prints the progress until all replays are finished.
stop:    ends the open replay to the queue; what was published stays published
service: the service whose database DATABASE_URL names: one of ${SERVICES.join(', ')}
time:    ISO 8601 with a zone, such as 2026-11-22T10:00:00Z; events are kept for seven days
queue:   one of ${QUEUES.join(', ')}
`;
const LOOK_EVERY_MS = 1_000;

interface Options {
  readonly service: ServiceName | undefined;
  readonly since: Date | undefined;
  readonly queue: QueueName | undefined;
  readonly wait: boolean;
}

/** For operators, after a database has lost commits: publishes the events of a service again. The running service does the work. */
export async function replayCli(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  print: (text: string) => void,
): Promise<number> {
  const [command, ...given] = args;
  const options = readOptions(given);
  const { DATABASE_URL: url } = environment;
  const isKnown =
    command === 'status' ||
    (command === 'request' && options?.service && options.since) ||
    (command === 'stop' && options?.queue);
  if (url === undefined || options === undefined || !isKnown) {
    print(USAGE);
    return 2;
  }
  const log = createLogger({ service: 'replay', level: 'silent' });
  const db = await openDatabase({
    ...{ url, poolSize: 1, applicationName: 'replay command', log, migrations: messagingMigrations },
  });
  try {
    if (command === 'request' && options.service && options.since) {
      const { service, since, queue } = options;
      const requested = await db.transaction((tx) => requestReplays(tx, { service, since, queue }));
      for (const each of requested) print(`requested ${each}\n`);
      if (requested.length === 0) {
        print(`${service} publishes nothing to ${queue ?? 'any queue'}\n`);
        return 1;
      }
    }
    if (command === 'stop' && options.queue && !(await stopReplay(db, options.queue))) {
      print(`no replay to ${options.queue} is open\n`);
      return 1;
    }
    await report(db, options.wait, print);
    return 0;
  } finally {
    await db.close();
  }
}

async function report(db: Database, wait: boolean, print: (text: string) => void): Promise<void> {
  const printed = new Map<string, string>();
  for (;;) {
    const replays = await listReplays(db);
    for (const replay of replays) {
      const line = lineOf(replay);
      if (printed.get(replay.id) !== line) print(line);
      printed.set(replay.id, line);
    }
    if (!wait || replays.every(({ finishedAt }) => finishedAt !== null)) return;
    await delay(LOOK_EVERY_MS);
  }
}

function lineOf({ queue, since, published, positionAt, finishedAt, stoppedAt }: ReplayProgress): string {
  const state = finishedAt
    ? `${stoppedAt ? 'stopped' : 'finished'} at ${finishedAt.toISOString()}`
    : `at ${positionAt?.toISOString() ?? 'the start'}`;
  return `${queue}: since ${since.toISOString()}, ${published} events, ${state}\n`;
}

function readOptions(args: readonly string[]): Options | undefined {
  let service: ServiceName | undefined;
  let since: Date | undefined;
  let queue: QueueName | undefined;
  let wait = false;
  for (const arg of args) {
    const [name, value = ''] = arg.split('=', 2) as [string, string?];
    if (name === '--wait') wait = true;
    else if (name === '--since' && ISO.test(value) && !Number.isNaN(Date.parse(value))) since = new Date(value);
    else if (name === '--queue' && isQueueName(value)) queue = value;
    else if (!name.startsWith('--') && service === undefined) service = SERVICES.find((known) => known === name);
    else return undefined;
  }
  return { service, since, queue, wait };
}

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;
