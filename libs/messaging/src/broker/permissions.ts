import { EVENT_TYPES, mayPublish, SERVICES, type EventType, type ServiceName } from '@pay/contracts';
import { bindingsOf, consumersOf, familyOf, namesIn, QUEUES, queuesOf, typesOf, type QueueName } from './topology';

/** What an account may do with a topic exchange: publish keys that match `write`, bind keys that match `read`. */
export interface TopicPermission {
  readonly exchange: string;
  readonly write: string;
  readonly read: string;
}

/** Regular expressions over names on the broker, as RabbitMQ takes them. */
export interface Permissions {
  readonly user: string;
  readonly configure: string;
  readonly write: string;
  readonly read: string;
  readonly topics: readonly TopicPermission[];
}

const NOTHING = '^$';

/**
 * Everything that a service's account may do, derived from the topology. It declares and consumes its own queues,
 * publishes its own types to its own exchange and binds what its queues take. It may not configure its exchange of
 * events: declared again as a fanout, that would carry any type. Nor may it write to the default exchange, which
 * reaches every queue by its name.
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
    // An exchange without a topic permission would be open for every key: the service's own is always listed.
    topics: [...new Set([service, ...publishers])].map((publisher) => ({
      exchange: names.events(publisher),
      write: publisher === service ? publishedKeys(service) : NOTHING,
      read: anyOf(bindings.filter((each) => each.publisher === publisher).map(({ key }) => literal(key))),
    })),
  };
}

/** Every version of the types that a service publishes, to all and to single queues. */
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

/**
 * What each account may do, for a person to read, as Markdown. The patterns are in the definitions and the commands.
 */
export function permissionTable(): string {
  const rows = SERVICES.map((service) => {
    const queues = queuesOf(service);
    const published = EVENT_TYPES.filter((type) => mayPublish(service, type));
    const taken = EVENT_TYPES.filter((type) => queues.some((queue) => takes(queue, type)));
    return [service, queues, published, taken].map((cell) =>
      [cell]
        .flat()
        .map((each) => `\`${each}\``)
        .join(', '),
    );
  });
  const head = ['account', 'own queues', 'publishes', 'takes'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
