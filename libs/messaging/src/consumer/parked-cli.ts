import { listParked, replayParked } from './parking';
import { QUEUES } from '../broker/topology';

const USAGE = `parked list <queue>              prints the parked messages of a queue with their reasons, without their bodies
parked replay <queue> [id ...]   moves parked messages back to their queue: those with the given ids, otherwise all

queue:       one of ${QUEUES.join(', ')}
environment: AMQP_URL; AMQP_NAMESPACE if several systems share a broker
`;

/** Command for operators: lists parked messages without their bodies, and replays them. Returns the exit code. */
export async function parkedCli(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  print: (text: string) => void,
): Promise<number> {
  const [command, queue, ...ids] = args;
  const { AMQP_URL: url, AMQP_NAMESPACE: namespace = '' } = environment;
  if (url === undefined || queue === undefined || (command !== 'list' && command !== 'replay')) {
    print(USAGE);
    return 2;
  }
  if (command === 'list') {
    for (const message of await listParked({ url, namespace, queue })) print(`${JSON.stringify(message)}\n`);
    return 0;
  }
  const replayed = await replayParked({ url, namespace, queue, ...(ids.length > 0 ? { ids } : {}) });
  for (const id of replayed) print(`replayed ${id}\n`);
  const missed = ids.filter((id) => !replayed.includes(id));
  for (const id of missed) print(`not parked ${id}\n`);
  return missed.length > 0 ? 1 : 0;
}
