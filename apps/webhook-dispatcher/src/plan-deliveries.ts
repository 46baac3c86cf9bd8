import { eventsOf, type Environment, type EventOf } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import { insertDeliveries, type LeasedDelivery, type PlannedDelivery } from './db/deliveries';
import { endpointsToNotify, type NotifiedEndpoint } from './db/endpoints';
import type { Deliverer } from './deliver-due';
import { buildBody, deliveryKey, NOTIFIABLE_TYPES, WEBHOOK_EVENTS, type NotifiableEvent } from './domain/payload';

export interface PlanDeps {
  readonly deliverer: Pick<Deliverer, 'lanes' | 'poke'>;
  readonly workerId: string;
  readonly newId: () => string;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

type TenantEvent = NotifiableEvent & { readonly merchantId: string; readonly environment: Environment };

/**
 * One delivery per event and endpoint, in the transaction that consumes the events; the endpoints are those of this moment.
 * What this process has slots for is written as leased, with its first attempt, and sent right after commit without another
 * look at the database. The unique key makes an event that comes again a no-op.
 */
export async function planDeliveries(deps: PlanDeps, tx: Transaction, events: readonly EventOf[]): Promise<void> {
  const notifiable = eventsOf(events, ...NOTIFIABLE_TYPES).filter(hasTenant);
  if (notifiable.length === 0) return;
  const endpoints = await endpointsToNotify(tx, [...new Set(notifiable.map(({ merchantId }) => merchantId))]);
  const leasedAt = deps.clock();
  const { lanes, poke } = deps.deliverer;
  const mayLease = lanes.plan();
  const plans = notifiable.flatMap((event) => {
    const body = buildBody(event, event.environment);
    return endpoints
      .filter((endpoint) => isSubscribed(endpoint, event))
      .map((endpoint) => ({ endpoint, planned: plan(deps, event, body, endpoint, mayLease) }));
  });
  if (plans.length === 0) return;
  const inserted = await insertDeliveries(
    tx,
    deps.workerId,
    plans.map(({ planned }) => planned),
  );
  const written = plans.filter(({ planned }) => inserted.has(planned.id));
  tx.onCommit(() => {
    lanes.add(
      written
        .filter(({ planned }) => planned.start === 'LEASED')
        .map(({ planned, endpoint }) => lease(planned, endpoint)),
      leasedAt,
    );
    const due = written.filter(({ planned }) => planned.start === 'DUE');
    if (due.length === 0) return;
    lanes.noteBacklog(due.map(({ endpoint }) => endpoint.id));
    poke();
  });
}

function hasTenant(event: NotifiableEvent): event is TenantEvent {
  return event.merchantId !== null && event.environment !== null;
}

function isSubscribed(endpoint: NotifiedEndpoint, event: TenantEvent): boolean {
  return (
    endpoint.merchantId === event.merchantId &&
    endpoint.environment === event.environment &&
    endpoint.eventTypes.includes(WEBHOOK_EVENTS[event.type])
  );
}

function plan(
  deps: PlanDeps,
  event: TenantEvent,
  body: string,
  endpoint: NotifiedEndpoint,
  mayLease: (endpointId: string) => boolean,
): PlannedDelivery {
  return {
    id: deps.newId(),
    endpointId: endpoint.id,
    merchantId: event.merchantId,
    environment: event.environment,
    paymentIntentId: event.data.intent.id,
    eventId: event.id,
    eventType: WEBHOOK_EVENTS[event.type],
    occurredAt: event.occurredAt,
    idempotencyKey: deliveryKey(event),
    body,
    start: !endpoint.isSendable ? 'HELD' : mayLease(endpoint.id) ? 'LEASED' : 'DUE',
  };
}

function lease(planned: PlannedDelivery, { url, sealedSecret, goneAt }: NotifiedEndpoint): LeasedDelivery {
  return { ...planned, occurredAt: new Date(planned.occurredAt), attempt: 1, url, sealedSecret, goneAt };
}
