import { setTimeout as delay } from 'node:timers/promises';
import { SERVICES, type ServiceName } from '@pay/contracts';
import { withDatabase, type Database } from '@pay/persistence';
import { variablesWithFiles } from '@pay/runtime';
import { messagingMigrations } from '../migrations';
import { listReplays, requestReplays, stopReplay, type ReplayProgress } from './operator-actions';
import { isQueueName, QUEUES, type QueueName } from '../broker/topology';

const USAGE = `replay request <service> --since=<time> [--queue=<queue>] [--wait]
replay status [--wait]
replay stop --queue=<queue>

request: the running service publishes all events again that it has written since <time>, to every queue that receives them
         or to <queue>. The rate is at most 1,000 events per second; new events have priority. Consumers ignore events that
         they have handled.
status:  prints open replays and those that finished within a day
stop:    stops the open replay to <queue>; events that were published again stay published
--wait:  prints the progress until all replays are finished

service: the service that owns the database of DATABASE_URL, one of ${SERVICES.join(', ')}; DATABASE_URL may also be a file
         of this name in SECRETS_DIRECTORY
time:    ISO 8601 with a time zone, for example 2026-11-22T10:00:00Z; events are stored for seven days
queue:   one of ${QUEUES.join(', ')}
example: node tools/replay.mjs request sms-ingest --since=2026-11-22T10:00:00Z --wait
`;
const COMMANDS: readonly string[] = ['request', 'status', 'stop'];
const LOOK_EVERY_MS = 1_000;

interface Options {
  readonly service: ServiceName | undefined;
  readonly since: Date | undefined;
  readonly queue: QueueName | undefined;
  readonly wait: boolean;
}

/** Publishes the events of a service again after a database has lost commits. The running service does the work. */
export async function replayCli(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  print: (text: string) => void,
): Promise<number> {
  if (args.includes('--help')) {
    print(USAGE);
    return 0;
  }
  const [command, ...given] = args;
  const options = readOptions(given);
  const { DATABASE_URL: url } = variablesWithFiles(['DATABASE_URL'], environment);
  const problem = problemOf(command, options, url);
  if (url === undefined || problem !== undefined || typeof options === 'string') {
    print(`${problem ?? ''}\n\n${USAGE}`);
    return 2;
  }
  const access = { url, poolSize: 1, applicationName: 'replay command', migrations: messagingMigrations };
  return withDatabase(access, async (db) => {
    if (command === 'request' && options.service && options.since) {
      const { service, since, queue } = options;
      const requested = await db.transaction((tx) => requestReplays(tx, { service, since, queue }));
      for (const each of requested) print(`requested ${each}\n`);
      if (requested.length === 0) {
        print(`${service} publishes no events to ${queue ?? 'any queue'}\n`);
        return 1;
      }
    }
    if (command === 'stop' && options.queue && !(await stopReplay(db, options.queue))) {
      print(`There is no open replay to ${options.queue}.\n`);
      return 1;
    }
    await report(db, options.wait, print);
    return 0;
  });
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

function problemOf(
  command: string | undefined,
  options: Options | string,
  url: string | undefined,
): string | undefined {
  if (command === undefined || !COMMANDS.includes(command))
    return `"${command ?? ''}" is not a command: use one of ${COMMANDS.join(', ')}.`;
  if (typeof options === 'string') return options;
  if (command === 'request' && options.service === undefined) return 'Name the service whose events are replayed.';
  if (command === 'request' && options.since === undefined) return '--since is required.';
  if (command === 'stop' && options.queue === undefined) return '--queue is required.';
  return url === undefined ? 'Set DATABASE_URL.' : undefined;
}

function readOptions(args: readonly string[]): Options | string {
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
    else return `${arg} is not a valid argument.`;
  }
  return { service, since, queue, wait };
}

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;
