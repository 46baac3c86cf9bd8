import { variablesWithFiles } from '@pay/runtime';
import { QUEUES } from '../broker/topology';
import { discardParked, listParked, replayParked } from './parking';

const USAGE = `parked list <queue>                prints the parked messages of a queue with their reasons, without their bodies
parked replay <queue> [id ...]     moves parked messages back to their queue: those with the given ids, otherwise all
parked discard <queue> <id ...>    deletes the parked messages with the given ids, and prints what list prints of them

queue:       one of ${QUEUES.join(', ')}
environment: AMQP_URL; AMQP_NAMESPACE if several systems share a broker; or files of these names in SECRETS_DIRECTORY
example:     AMQP_URL=amqp://127.0.0.1 node tools/parked.mjs list reconciler.events
`;

const COMMANDS = ['list', 'replay', 'discard'];

/**
 * Command for operators: lists parked messages without their bodies, replays and discards them. Returns the exit code.
 */
export async function parkedCli(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  print: (text: string) => void,
): Promise<number> {
  const [command = '', queue, ...ids] = args;
  const settings = variablesWithFiles(['AMQP_URL', 'AMQP_NAMESPACE'], environment);
  const { AMQP_URL: url, AMQP_NAMESPACE: namespace = '' } = settings;
  const problem = problemOf(command, queue, ids, url);
  if (url === undefined || queue === undefined || problem !== undefined) {
    print(`${problem ?? ''}\n\n${USAGE}`);
    return 2;
  }
  if (command === 'list') {
    for (const message of await listParked({ url, namespace, queue })) print(`${JSON.stringify(message)}\n`);
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

function problemOf(
  command: string,
  queue: string | undefined,
  ids: readonly string[],
  url: string | undefined,
): string | undefined {
  if (!COMMANDS.includes(command)) return `"${command}" is not a command: use one of ${COMMANDS.join(', ')}.`;
  if (queue === undefined) return 'Name a queue.';
  if (command === 'discard' && ids.length === 0) return 'Name the ids of the messages to discard; list prints them.';
  return url === undefined ? 'Set AMQP_URL.' : undefined;
}
