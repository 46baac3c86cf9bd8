import { hash } from 'node:crypto';

/**
 * The id of a delivery, which merchants de-duplicate by. It follows from the endpoint and the event alone, so a
 * recovery gives a delivery whose row was deleted the id that it had. A UUID of version 7 by the time of the event,
 * with a hash in place of randomness.
 */
export function deliveryId(endpointId: string, idempotencyKey: string, occurredAt: Date): string {
  const time = occurredAt.getTime().toString(16).padStart(12, '0');
  const digest = hash('sha256', `${endpointId} ${idempotencyKey}`, 'hex');
  const variant = ((Number.parseInt(digest.slice(3, 4), 16) & 0b11) | 0b1000).toString(16);
  const [middle, last] = [`7${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}`, digest.slice(7, 19)];
  return `${time.slice(0, 8)}-${time.slice(8)}-${middle}-${last}`;
}
