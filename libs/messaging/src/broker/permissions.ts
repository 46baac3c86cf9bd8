import { EVENT_TYPES, mayPublish, SERVICES, type EventType, type ServiceName } from '@pay/contracts';
import { bindingsOf, consumersOf, familyOf, namesIn, QUEUES, queuesOf, typesOf, type QueueName } from './topology';

/**
 * Topic permissions of an account for an exchange: it may publish keys that match `write` and bind keys that match
 * `read`.
 */
export interface TopicPermission {
  readonly exchange: string;
  readonly write: string;
  readonly read: string;
}

/** Regular expressions over broker names, in RabbitMQ's syntax. */
export interface Permissions {
  readonly user: string;
  readonly configure: string;
  readonly write: string;
  readonly read: string;
  readonly topics: readonly TopicPermission[];
}

const NOTHING = '^$';
const LINE_WIDTH = 120;

/**
 * All permissions of a service's account, derived from the topology. It may not configure its event exchange, because a
 * fanout exchange would carry any type, nor write to the default exchange, which reaches every queue.
 */
export function permissionsOf(service: ServiceName, namespace: string): Permissions {
  const names = namesIn(namespace);
  const queues = queuesOf(service).flatMap((queue) => familyOf(queue, names));
  const ownQueues = [...queues.map(literal), `${literal(names.broadcast(service, ''))}[0-9a-f-]+`];
  const own = literal(names.own(service));
  const bindings = queuesOf(service).flatMap(bindingsOf);
  const publishers = [...new Set(bindings.map(({ publisher }) => publisher))];
  return {
    user: names.user(service),
    configure: anyOf([...ownQueues, own]),
    write: anyOf([...ownQueues, own, literal(names.events(service))]),
    read: anyOf([...ownQueues, own, ...publishers.map((publisher) => literal(names.events(publisher)))]),
    // An exchange without a topic permission accepts every key, so the service's own exchange is always listed.
    topics: [...new Set([service, ...publishers])].map((publisher) => ({
      exchange: names.events(publisher),
      write: publisher === service ? publishedKeys(service) : NOTHING,
      read: anyOf(bindings.filter((each) => each.publisher === publisher).map(({ key }) => literal(key))),
    })),
  };
}

function publishedKeys(service: ServiceName): string {
  const types = EVENT_TYPES.filter((type) => mayPublish(service, type));
  const addressed = QUEUES.flatMap((queue) => {
    const taken = types.filter((type) => takes(queue, type)).map(literal);
    return taken.length === 0 ? [] : [`to\\.${literal(queue)}\\.(${taken.join('|')})`];
  });
  const broadcast = types.filter((type) => consumersOf(type).length > 0).map(literal);
  const keys = [...broadcast, ...addressed];
  return keys.length === 0 ? NOTHING : `^(${keys.join('|')})\\.v[0-9]+$`;
}

function takes(queue: QueueName, type: EventType): boolean {
  return typesOf(queue).includes(type);
}

function anyOf(patterns: readonly string[]): string {
  return patterns.length === 0 ? NOTHING : `^(${patterns.join('|')})$`;
}

function literal(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** The permissions of each account as a Markdown list. The definitions and commands contain the patterns. */
export function permissionList(): string {
  return SERVICES.map((service) => {
    const queues = queuesOf(service);
    const published = EVENT_TYPES.filter((type) => mayPublish(service, type));
    const taken = EVENT_TYPES.filter((type) => queues.some((queue) => takes(queue, type)));
    return [
      `**${service}**\n`,
      ...wrapped('- own queues: ', queues),
      ...wrapped('- publishes: ', published),
      ...wrapped('- takes: ', taken),
    ].join('\n');
  }).join('\n\n');
}

function wrapped(begin: string, names: readonly string[]): string[] {
  const words = names.map((name, index) => `\`${name}\`${index < names.length - 1 ? ',' : ''}`);
  return words.reduce<string[]>(
    (lines, word, index) => {
      const last = lines.at(-1) ?? '';
      const longer = index === 0 ? `${last}${word}` : `${last} ${word}`;
      return longer.length <= LINE_WIDTH ? [...lines.slice(0, -1), longer] : [...lines, `  ${word}`];
    },
    [begin],
  );
}
