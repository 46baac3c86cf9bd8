import type { Logger } from '@pay/runtime';
import { HEADERS, type Delivery } from './delivery';
import type { MessagingMetrics } from './metrics';
import type { OutgoingMessage, Publisher } from './publisher';
import type { Names, QueueName, RetryStep } from './topology';

export type ParkReason = 'contract' | 'permanent' | 'tries' | 'crash_loop';

export interface AsideDeps {
  readonly publisher: Pick<Publisher, 'confirmed'>;
  readonly names: Names;
  readonly queue: QueueName;
  readonly log: Logger;
  readonly metrics: Pick<MessagingMetrics, 'parked'>;
}

/** Puts a message into a retry queue, confirmed. Its original may be acknowledged afterwards. */
export async function setAside(deps: AsideDeps, delivery: Delivery, step: RetryStep, reason: string): Promise<void> {
  const { publisher, names, queue, log } = deps;
  await publisher.confirmed(
    copyOf(delivery, names.retry(queue, step), { [HEADERS.tries]: delivery.tries + 1, [HEADERS.reason]: reason }),
  );
  log.info({ queue, messageId: delivery.id, round: delivery.tries + 1, step, reason }, 'message.set_aside');
}

/** Moves a message to the side lane of its queue, confirmed. Its original may be acknowledged afterwards. */
export async function moveAside({ publisher, names, queue }: AsideDeps, delivery: Delivery): Promise<void> {
  await publisher.confirmed(copyOf(delivery, names.crowd(queue), { [HEADERS.tries]: delivery.tries }));
}

/** Parks a message with its reason, confirmed. Its original may be acknowledged afterwards. */
export async function park(
  deps: AsideDeps,
  delivery: Delivery,
  { kind, reason, now }: { readonly kind: ParkReason; readonly reason: string; readonly now: Date },
): Promise<void> {
  const { publisher, names, queue, log, metrics } = deps;
  await publisher.confirmed(
    copyOf(delivery, names.parked(queue), {
      [HEADERS.tries]: delivery.tries,
      [HEADERS.reason]: reason,
      [HEADERS.parkedAt]: now.toISOString(),
    }),
  );
  metrics.parked.inc({ queue, reason: kind });
  log.error({ queue, messageId: delivery.id, kind, reason }, 'message.parked');
}

/** Same bytes, same id. Headers of the broker stay behind: its counts belong to the queue that counted. */
function copyOf(
  delivery: Delivery,
  routingKey: string,
  headers: Readonly<Record<string, string | number>>,
): OutgoingMessage {
  const { content, properties } = delivery.message;
  return {
    exchange: '',
    routingKey,
    id: typeof properties.messageId === 'string' ? properties.messageId : delivery.id,
    type: typeof properties.type === 'string' ? properties.type : undefined,
    body: content,
    headers: {
      [HEADERS.firstSeen]: delivery.firstSeen,
      [HEADERS.originalRoutingKey]: delivery.originalRoutingKey,
      ...headers,
    },
  };
}
