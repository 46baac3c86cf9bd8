import { amountFromWire, eventsOf, type Environment, type EventOf } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import { insertDeliveries, type LeasedDelivery, type PlannedDelivery } from './delivery-repository';
import { endpointsToNotify, type NotifiedEndpoint } from '../endpoints/endpoint-repository';
import { recordEvents } from '../feed/event-repository';
import type { Deliverer } from './deliver-due';
import { deliveryId } from './delivery-id';
import {
  buildBody,
  deliveryKey,
  FEED_EVENTS,
  FEED_TYPES,
  isAlert,
  NOTIFIABLE_TYPES,
  WEBHOOK_EVENTS,
  type FeedEvent,
  type NotifiableEvent,
} from '../domain/payload';

export interface PlanDeps {
  readonly deliverer: Pick<Deliverer, 'queues' | 'poke' | 'admits'>;
  readonly workerId: string;
  readonly verifiedEnvironments: readonly Environment[];
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

type OfTenant = { readonly merchantId: string; readonly environment: Environment };
type TenantEvent = NotifiableEvent & OfTenant;
type TenantFeedEvent = FeedEvent & OfTenant;

export interface EndpointsOfBatch {
  readonly endpoints: readonly NotifiedEndpoint[];
  /** A time of `clock` from before they were read. */
  readonly readAt: number;
}

export async function endpointsOfBatch(
  { verifiedEnvironments, clock }: Pick<PlanDeps, 'verifiedEnvironments' | 'clock'>,
  tx: Transaction,
  events: readonly EventOf[],
): Promise<EndpointsOfBatch> {
  const readAt = clock();
  const merchants = new Set(notifiableAmong(events).map(({ merchantId }) => merchantId));
  const endpoints = merchants.size === 0 ? [] : await endpointsToNotify(tx, [...merchants], verifiedEnvironments);
  return { endpoints, readAt };
}

/**
 * Runs in the transaction of the consumer; a repeated event has no effect. Deliveries for which this process has slots
 * are leased with their first attempt and sent right after COMMIT.
 */
export function planDeliveries(
  deps: PlanDeps,
  tx: Transaction,
  events: readonly EventOf[],
  { endpoints, readAt }: EndpointsOfBatch,
): void {
  const bodies = new Map<TenantEvent | TenantFeedEvent, string>();
  const withBody = <Event extends TenantEvent | TenantFeedEvent>(event: Event) => {
    const body = bodies.get(event) ?? buildBody(event, event.environment);
    bodies.set(event, body);
    return { event, body };
  };
  planForEndpoints(deps, tx, notifiableAmong(events).map(withBody), { endpoints, readAt });
  const inFeed = feedEventsAmong(events).map(withBody);
  if (inFeed.length === 0) return;
  recordEvents(
    tx,
    inFeed.map(({ event, body }) => ({
      id: event.id,
      merchantId: event.merchantId,
      environment: event.environment,
      type: FEED_EVENTS[event.type],
      paymentIntentId: event.data.intent.id,
      occurredAt: event.occurredAt,
      body,
      amount: amountFromWire(event.data.intent.amount),
      plannedDeliveries: endpoints.filter((endpoint) => isSubscribed(endpoint, event)).length,
    })),
  );
}

interface EventWithBody {
  readonly event: TenantEvent;
  readonly body: string;
}

function planForEndpoints(
  deps: PlanDeps,
  tx: Transaction,
  payloads: readonly EventWithBody[],
  { endpoints, readAt }: EndpointsOfBatch,
): void {
  const { queues, poke } = deps.deliverer;
  const mayLease = queues.plan();
  const plans = payloads.flatMap(({ event, body }) =>
    endpoints
      .filter((endpoint) => isSubscribed(endpoint, event))
      .map((endpoint) => ({ endpoint, planned: plan(deps, event, body, endpoint, mayLease) })),
  );
  if (plans.length === 0) return;
  const planned = plans.map((each) => each.planned);
  insertDeliveries(tx, deps.workerId, planned, (inserted) => {
    const written = plans.filter((each) => inserted.has(each.planned.id));
    queues.add(
      written.filter((each) => each.planned.start === 'LEASED').map((each) => lease(each.planned, each.endpoint)),
      readAt,
    );
    const due = written.filter((each) => each.planned.start === 'DUE' && !each.endpoint.isHeldBack);
    // Not for a hanging endpoint: each event would cause a claim, which delays other endpoints.
    if (queues.noteBacklog(due.map(({ endpoint }) => endpoint.id))) poke();
  });
}

function notifiableAmong(events: readonly EventOf[]): TenantEvent[] {
  return eventsOf(events, ...NOTIFIABLE_TYPES).filter(hasTenant);
}

function feedEventsAmong(events: readonly EventOf[]): TenantFeedEvent[] {
  return eventsOf(events, ...FEED_TYPES).filter(hasTenant);
}

function hasTenant<Event extends NotifiableEvent | FeedEvent>(event: Event): event is Event & OfTenant {
  return event.merchantId !== null && event.environment !== null;
}

const EVENT_NAMES = { ...FEED_EVENTS, ...WEBHOOK_EVENTS } as const;

/** False for an event that exists only in the feed. */
function isSubscribed(endpoint: NotifiedEndpoint, event: TenantEvent | TenantFeedEvent): boolean {
  const subscribed: readonly string[] = endpoint.eventTypes;
  return (
    endpoint.merchantId === event.merchantId &&
    endpoint.environment === event.environment &&
    subscribed.includes(EVENT_NAMES[event.type])
  );
}

function plan(
  deps: PlanDeps,
  event: TenantEvent,
  body: string,
  endpoint: NotifiedEndpoint,
  mayLease: (endpoint: NotifiedEndpoint) => boolean,
): PlannedDelivery {
  const idempotencyKey = deliveryKey(event);
  return {
    id: deliveryId(endpoint.id, idempotencyKey, new Date(event.occurredAt)),
    endpointId: endpoint.id,
    merchantId: event.merchantId,
    environment: event.environment,
    paymentIntentId: isAlert(event) ? null : event.data.intent.id,
    eventId: event.id,
    eventType: WEBHOOK_EVENTS[event.type],
    occurredAt: event.occurredAt,
    idempotencyKey,
    body,
    start: !endpoint.isSendable
      ? 'HELD'
      : !endpoint.isHeldBack && mayLease(endpoint) && deps.deliverer.admits(endpoint)
        ? 'LEASED'
        : 'DUE',
  };
}

function lease(
  planned: PlannedDelivery,
  { url, isVerified, sealedSecret, nextSealedSecret, goneAt, failingSince }: NotifiedEndpoint,
): LeasedDelivery {
  return {
    ...planned,
    occurredAt: new Date(planned.occurredAt),
    attempt: 1,
    scheduleFrom: 0,
    earlyFailures: null,
    url,
    isVerified,
    sealedSecret,
    nextSealedSecret,
    goneAt,
    isFailing: failingSince !== null,
    recoveredAt: null,
    trigger: 'schedule',
    isRequested: false,
  };
}
