import type { Logger } from '@pay/runtime';
import { bodyOf, HEADERS } from '../broker/message-format';
import { eventsIn, type Delivery } from './delivery';
import type { EventSignatures } from '../broker/event-signatures';
import type { MessagingMetrics } from '../metrics';
import type { OutgoingMessage, Publisher } from '../broker/publisher';
import { ownerOf, type Names, type QueueName, type RetryStep } from '../broker/topology';

export type ParkReason = 'contract' | 'unsigned' | 'signature' | 'publisher' | 'permanent' | 'tries' | 'crash_loop';

export interface MoveDeps {
  readonly publisher: Pick<Publisher, 'confirmed'>;
  readonly names: Names;
  readonly queue: QueueName;
  readonly signatures: Pick<EventSignatures, 'sign'>;
  readonly mostInBundle: number;
  readonly log: Logger;
  readonly metrics: Pick<MessagingMetrics, 'parked'>;
}

/** Moves a message to a retry queue and waits for the confirm. Then the original may be acknowledged. */
export async function moveToRetry(
  deps: MoveDeps,
  delivery: Delivery,
  { step, tries }: { readonly step: RetryStep; readonly tries: number },
  reason: string,
): Promise<void> {
  const { publisher, names, queue, log } = deps;
  await publisher.confirmed(
    copyOf(deps, delivery, names.retry(queue, step), { [HEADERS.tries]: tries, [HEADERS.reason]: reason }),
  );
  log.info({ queue, messageId: delivery.id, round: tries, step, reason }, 'message.retry_scheduled');
}

/** Events of one kind and history, which can be moved to the overflow queue in one message. */
export type Movable = readonly [Delivery, ...Delivery[]];

export function movableTogether(deliveries: readonly Delivery[], most: number): Movable[] {
  const bundles: [Delivery, ...Delivery[]][] = [];
  for (const delivery of deliveries) {
    const open = bundles.at(-1);
    const fits = open !== undefined && open.length < most && kindOf(open[0]) === kindOf(delivery);
    if (fits) open.push(delivery);
    else bundles.push([delivery]);
  }
  return bundles;
}

/**
 * Moves events to the overflow queue in one message and waits for the confirm. Then the originals may be acknowledged.
 */
export async function moveToOverflow(deps: MoveDeps, events: Movable): Promise<void> {
  const { publisher, names, queue } = deps;
  const [first] = events;
  const count = events.length === 1 ? {} : { [HEADERS.events]: events.length };
  const body = Buffer.from(bodyOf(events.map((delivery) => delivery.body().toString())));
  await publisher.confirmed(
    copyOf(deps, first, names.overflow(queue), { [HEADERS.tries]: first.tries, ...count }, body),
  );
}

function kindOf({ message, tries, originalRoutingKey, publisher }: Delivery): string {
  return `${String(message.properties.type)}|${tries}|${originalRoutingKey}|${publisher ?? ''}`;
}

/** Parks a message with its reason and waits for the confirm. Then the original may be acknowledged. */
export async function park(
  deps: MoveDeps,
  delivery: Delivery,
  { kind, reason, now }: { readonly kind: ParkReason; readonly reason: string; readonly now: Date },
): Promise<void> {
  const { publisher, names, queue, log, metrics } = deps;
  await publisher.confirmed(
    copyOf(deps, delivery, names.parked(queue), {
      [HEADERS.tries]: delivery.tries,
      [HEADERS.reason]: reason,
      [HEADERS.parkedAt]: now.toISOString(),
      ...wholeCount(delivery),
    }),
  );
  metrics.parked.inc({ queue, reason: kind });
  log.error({ queue, messageId: delivery.id, kind, reason }, 'message.parked');
}

/** A rejected message is parked with the event count of its header. */
function wholeCount({ content, message }: Delivery): Record<string, number> {
  const events = eventsIn(message);
  const isWhole = 'violation' in content && content.kind !== 'contract' && content.kind !== 'publisher';
  return isWhole && events > 1 ? { [HEADERS.events]: events } : {};
}

/**
 * Keeps bytes and id but not the broker's headers, whose counts belong to the old queue. Verified events are signed
 * again for this service; a rejected message keeps its original signature.
 */
function copyOf(
  { names, queue, signatures }: MoveDeps,
  delivery: Delivery,
  routingKey: string,
  headers: Readonly<Record<string, string | number>>,
  body = delivery.body(),
): OutgoingMessage {
  const { publisher, originalRoutingKey, message } = delivery;
  const { properties } = message;
  const owner = ownerOf(queue);
  const signature =
    publisher === undefined
      ? delivery.signature
      : signatures.sign({ publisher, routingKey: originalRoutingKey, body }, [owner]);
  return {
    exchange: names.own(owner),
    routingKey,
    id: delivery.id,
    type: typeof properties.type === 'string' ? properties.type : undefined,
    body,
    headers: {
      ...signature,
      [HEADERS.firstSeen]: delivery.firstSeen,
      [HEADERS.originalRoutingKey]: delivery.originalRoutingKey,
      ...headers,
    },
  };
}
