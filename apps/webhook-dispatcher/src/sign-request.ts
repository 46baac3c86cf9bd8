import {
  EVENT_HEADER,
  ID_HEADER,
  sign,
  SIGNATURE_HEADER,
  signStandard,
  STANDARD_ID_HEADER,
  STANDARD_SIGNATURE_HEADER,
  STANDARD_TIMESTAMP_HEADER,
  TIMESTAMP_HEADER,
} from '@pay/signing';
import type { LeasedDelivery } from './db/deliveries';

const USER_AGENT = 'PaymentGateway-Webhooks/1.0';

/** Headers of one attempt. Only time and number differ between attempts; the body never does. */
export function signRequest(delivery: LeasedDelivery, secret: string, now: Date): Record<string, string> {
  const { id, body } = delivery;
  const seconds = Math.floor(now.getTime() / 1_000);
  return {
    'Content-Type': 'application/json',
    // What is not compressed cannot become larger than it looks.
    'Accept-Encoding': 'identity',
    'User-Agent': USER_AGENT,
    [ID_HEADER]: id,
    [EVENT_HEADER]: delivery.eventType,
    [TIMESTAMP_HEADER]: now.toISOString(),
    [SIGNATURE_HEADER]: sign(body, secret),
    'X-Webhook-Idempotency-Key': delivery.idempotencyKey,
    'X-Webhook-Attempt': String(delivery.attempt),
    [STANDARD_ID_HEADER]: id,
    [STANDARD_TIMESTAMP_HEADER]: String(seconds),
    [STANDARD_SIGNATURE_HEADER]: signStandard(id, seconds, body, secret),
  };
}
