import {
  INTENT_TYPES,
  MATCH_TYPES,
  MATCH_TYPES_OF_INTENTS,
  PUBLISHERS,
  SERVICES,
  type EventType,
  type ServiceName,
} from '@pay/contracts';

/** Types that every data-plane service consumes on its control queue, in addition to directory facts. */
const CONTROL: readonly EventType[] = ['messaging.replay_requested', 'directory.resend_completed'];

/**
 * The queues and the event types that they receive. `control` queues are separate from `events` queues, so that a
 * backlog in one does not delay the other; every event type needs a queue, or the broker returns it.
 */
export const TOPOLOGY = {
  'intent-api.events': [...MATCH_TYPES_OF_INTENTS, 'device.seen'],
  'intent-api.control': [
    ...CONTROL,
    'merchant.changed',
    'api_key.changed',
    'receiver_account.changed',
    'device.changed',
  ],
  'checkout-api.events': [...INTENT_TYPES, 'claim.waiting', 'claim.settled', 'device.seen'],
  'checkout-api.control': [...CONTROL, 'merchant.changed', 'receiver_account.changed', 'device.changed'],
  'sms-ingest.events': MATCH_TYPES,
  'sms-ingest.control': [...CONTROL, 'merchant.changed', 'receiver_account.changed', 'device.changed'],
  'reconciler.events': [
    'intent.created',
    'intent.method_selected',
    'intent.expiry_moved',
    'sms.parsed',
    'sms.unparsed',
    'sms.signals_changed',
    'claim.submitted',
  ],
  'reconciler.control': [...CONTROL, 'merchant.changed', 'receiver_account.changed'],
  'webhook-dispatcher.events': [
    'intent.paid',
    'intent.review_required',
    'intent.expired',
    'intent.rejected',
    'intent.failed',
    'alert.opened',
    'alert.closed',
  ],
  'webhook-dispatcher.control': [...CONTROL, 'merchant.changed', 'api_key.changed'],
  'dashboard-api.events': ['api_key.used', 'device.seen'],
  'dashboard-api.control': ['messaging.replay_requested', 'directory.resend_requested'],
} as const satisfies Partial<Record<`${ServiceName}.${'events' | 'control'}`, readonly EventType[]>>;

export type QueueName = keyof typeof TOPOLOGY;
export const QUEUES = Object.keys(TOPOLOGY) as QueueName[];

/** Queues in which a backlog of one merchant must not delay others: each has an overflow queue. */
const FAIR_QUEUES: readonly QueueName[] = ['reconciler.events'];

export function isFair(queue: QueueName): boolean {
  return FAIR_QUEUES.includes(queue);
}

export function isQueueName(queue: string): queue is QueueName {
  return Object.hasOwn(TOPOLOGY, queue);
}

export function typesOf(queue: QueueName): readonly EventType[] {
  return TOPOLOGY[queue];
}

/** The service that declares, consumes and repairs a queue: the part of its name before the dot. */
export function ownerOf(queue: QueueName): ServiceName {
  const owner = SERVICES.find((service) => queue.startsWith(`${service}.`));
  if (owner === undefined) throw new RangeError(`the queue ${queue} belongs to no service`);
  return owner;
}

export function queuesOf(service: ServiceName): QueueName[] {
  return QUEUES.filter((queue) => ownerOf(queue) === service);
}

export interface Binding {
  readonly publisher: ServiceName;
  readonly key: string;
}

/**
 * The exchanges from which a queue receives its types. Every version of a type is bound, so that an unknown version is
 * parked and can be replayed instead of lost.
 */
export function bindingsOf(queue: QueueName): Binding[] {
  return typesOf(queue).flatMap((type) => {
    const keys = [`${type}.*`, addressedKey(queue, `${type}.*`)];
    return PUBLISHERS[type].flatMap((publisher) => keys.map((key) => ({ publisher, key })));
  });
}

/** The routing key of an event for one queue alone, as in a replay. */
export function addressedKey(queue: string, key: string): string {
  return `to.${queue}.${key}`;
}

export function consumersOf(type: EventType): ServiceName[] {
  return [...new Set(QUEUES.filter((queue) => typesOf(queue).includes(type)).map(ownerOf))];
}

export function queuesReceiving(type: string): readonly QueueName[] {
  let queues = takers.get(type);
  if (queues === undefined) {
    queues = QUEUES.filter((queue) => typesOf(queue).some((taken) => taken === type));
    takers.set(type, queues);
  }
  return queues;
}

const takers = new Map<string, readonly QueueName[]>();

/** Delay of each retry queue. One queue per delay, because only the message at the head of a queue expires. */
export const RETRY_STEPS = ['5s', '30s', '5m'] as const;
export type RetryStep = (typeof RETRY_STEPS)[number];

/** Names on the broker. All have the namespace as prefix, so that several systems can share a broker. */
export interface Names {
  /** Topic exchange for the events of this service only. The broker's administrator declares it. */
  readonly events: (service: ServiceName) => string;
  /** Direct exchange inside one service: retries, parking, dead letters, broadcasts. */
  readonly own: (service: ServiceName) => string;
  readonly work: (queue: string) => string;
  /** The overflow queue of a fair queue. Its name on the broker stays `.crowd`: queues cannot be renamed. */
  readonly overflow: (queue: string) => string;
  readonly retry: (queue: string, step: RetryStep) => string;
  readonly parked: (queue: string) => string;
  /** A queue of one process, for broadcasts between the processes of its service. */
  readonly broadcast: (service: ServiceName, id: string) => string;
  readonly user: (service: ServiceName) => string;
}

export function namesIn(namespace: string): Names {
  return {
    events: (service) => `${namespace}pay.events.${service}`,
    own: (service) => `${namespace}pay.own.${service}`,
    work: (queue) => `${namespace}${queue}`,
    overflow: (queue) => `${namespace}${queue}.crowd`,
    retry: (queue, step) => `${namespace}${queue}.retry.${step}`,
    parked: (queue) => `${namespace}${queue}.parked`,
    broadcast: (service, id) => `${namespace}${service}.broadcast.${id}`,
    user: (service) => `${namespace}${service}`,
  };
}

export function familyOf(queue: QueueName, names: Names): string[] {
  return [
    names.parked(queue),
    ...RETRY_STEPS.map((step) => names.retry(queue, step)),
    ...(isFair(queue) ? [names.overflow(queue)] : []),
    names.work(queue),
  ];
}

export function unhandledQueuesOf(queue: QueueName, names: Names): string[] {
  return [...(isFair(queue) ? [names.overflow(queue)] : []), names.work(queue)];
}
