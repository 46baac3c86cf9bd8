import { variablesWithFiles } from '@pay/runtime';
import { QUEUES } from '../broker/topology';
import { discardParked, listParked, replayParked, type ParkedMessage } from './parking';

const MOST_PRINTED = 100;

const USAGE = `parked list <queue> [--all]        prints the oldest ${MOST_PRINTED} parked messages of a queue (--all: all) with their reasons, without
                                   their bodies; then counts all parked messages of the queue by reason and signer
parked replay <queue> [id ...]     moves parked messages back to their queue: those with the given ids, otherwise all
parked discard <queue> <id ...>    deletes the parked messages with the given ids, and prints what list prints of them

queue:       one of ${QUEUES.join(', ')}
environment: AMQP_URL; AMQP_NAMESPACE if several systems share a broker; or files of these names in SECRETS_DIRECTORY
example:     AMQP_URL=amqp://127.0.0.1 node tools/parked.mjs list reconciler.events
`;

const COMMANDS = ['list', 'replay', 'discard'];
const ALL = '--all';

/** Prints no message bodies, because they may contain phone numbers. */
export async function parkedCli(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  print: (text: string) => void,
): Promise<number> {
  if (args.includes('--help')) {
    print(USAGE);
    return 0;
  }
  const [command = '', queue, ...ids] = args;
  const settings = variablesWithFiles(['AMQP_URL', 'AMQP_NAMESPACE'], environment);
  const { AMQP_URL: url, AMQP_NAMESPACE: namespace = '' } = settings;
  const problem = problemOf(command, queue, ids, url);
  if (url === undefined || queue === undefined || problem !== undefined) {
    print(`${problem ?? ''}\n\n${USAGE}`);
    return 2;
  }
  if (command === 'list') {
    const messages = await listParked({ url, namespace, queue });
    const printed = ids.includes(ALL) ? messages : messages.slice(0, MOST_PRINTED);
    for (const message of printed) print(`${JSON.stringify(message)}\n`);
    print(`${printed.length} of ${messages.length} parked messages of ${queue} are printed.\n`);
    for (const line of summaryOf(messages)) print(`${line}\n`);
    return 0;
  }
  const done: string[] = [];
  if (command === 'discard') {
    for (const message of await discardParked({ url, namespace, queue, ids })) {
      print(`discarded ${JSON.stringify(message)}\n`);
      done.push(message.id);
    }
  } else {
    done.push(...(await replayParked({ url, namespace, queue, ...(ids.length > 0 ? { ids } : {}) })));
    for (const id of done) print(`replayed ${id}\n`);
  }
  const missed = ids.filter((id) => !done.includes(id));
  for (const id of missed) print(`not parked ${id}\n`);
  return missed.length > 0 ? 1 : 0;
}

/** Sorted by count, largest first. */
function summaryOf(messages: readonly ParkedMessage[]): string[] {
  const counts = new Map<string, number>();
  for (const { reason, signedBy } of messages) {
    const group = JSON.stringify({ reason, signedBy });
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([group, count]) => `${count} with ${group}`);
}

function problemOf(
  command: string,
  queue: string | undefined,
  ids: readonly string[],
  url: string | undefined,
): string | undefined {
  if (!COMMANDS.includes(command)) return `"${command}" is not a command: use one of ${COMMANDS.join(', ')}.`;
  if (queue === undefined) return 'Name a queue.';
  const unknown = command === 'list' ? ids.find((id) => id !== ALL) : ids.find((id) => id.startsWith('--'));
  if (unknown !== undefined) return `"${unknown}" is not an option of ${command}.`;
  if (command === 'discard' && ids.length === 0) return 'Name the ids of the messages to discard; list prints them.';
  return url === undefined ? 'Set AMQP_URL.' : undefined;
}
