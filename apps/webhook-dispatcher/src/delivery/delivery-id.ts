import { hash } from 'node:crypto';

/**
 * Merchants de-duplicate by this id, so it depends only on endpoint and event and a recovered delivery keeps it. A UUID
 * v7 with the time of the event and a hash.
 */
export function deliveryId(endpointId: string, idempotencyKey: string, occurredAt: Date): string {
  const time = occurredAt.getTime().toString(16).padStart(12, '0');
  const digest = hash('sha256', `${endpointId} ${idempotencyKey}`, 'hex');
  const variant = ((Number.parseInt(digest.slice(3, 4), 16) & 0b11) | 0b1000).toString(16);
  const [middle, last] = [`7${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}`, digest.slice(7, 19)];
  return `${time.slice(0, 8)}-${time.slice(8)}-${middle}-${last}`;
}
