import {
  EVENT_HEADER,
  ID_HEADER,
  NEXT_SIGNATURE_HEADER,
  sign,
  SIGNATURE_HEADER,
  signStandard,
  STANDARD_ID_HEADER,
  STANDARD_SIGNATURE_HEADER,
  STANDARD_TIMESTAMP_HEADER,
  TIMESTAMP_HEADER,
} from '@pay/signing';

const USER_AGENT = 'PaymentGateway-Webhooks/1.0';

export interface SignedRequest {
  readonly id: string;
  readonly eventType: string;
  readonly idempotencyKey: string;
  readonly attempt: number;
  readonly body: string;
}

/** Headers of one attempt but for its signatures: also what a merchant is shown of it later. */
export function plainHeaders({ id, eventType, idempotencyKey, attempt }: Omit<SignedRequest, 'body'>, sentAt: Date) {
  return {
    'Content-Type': 'application/json',
    // What is not compressed cannot become larger than it looks.
    'Accept-Encoding': 'identity',
    'User-Agent': USER_AGENT,
    [ID_HEADER]: id,
    [EVENT_HEADER]: eventType,
    [TIMESTAMP_HEADER]: sentAt.toISOString(),
    'X-Webhook-Idempotency-Key': idempotencyKey,
    'X-Webhook-Attempt': String(attempt),
    [STANDARD_ID_HEADER]: id,
    [STANDARD_TIMESTAMP_HEADER]: String(secondsOf(sentAt)),
  };
}

/**
 * Headers of one attempt. Only time and number differ between attempts; the body never does. The first secret signs; a
 * second one, while it takes over, signs beside it: receivers that compare the whole of X-Webhook-Signature must not
 * see it change before its time.
 */
export function signRequest(request: SignedRequest, secrets: readonly string[], now: Date): Record<string, string> {
  const { id, body } = request;
  const [current, next] = secrets;
  if (current === undefined) throw new RangeError('at least one secret signs');
  return {
    ...plainHeaders(request, now),
    [SIGNATURE_HEADER]: sign(body, current),
    ...(next !== undefined && { [NEXT_SIGNATURE_HEADER]: sign(body, next) }),
    [STANDARD_SIGNATURE_HEADER]: secrets.map((secret) => signStandard(id, secondsOf(now), body, secret)).join(' '),
  };
}

const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1_000);
