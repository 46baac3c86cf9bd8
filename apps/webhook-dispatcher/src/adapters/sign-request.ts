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

/** Also shown to the merchant, so it contains no signatures. */
export function plainHeaders({ id, eventType, idempotencyKey, attempt }: Omit<SignedRequest, 'body'>, sentAt: Date) {
  return {
    'Content-Type': 'application/json',
    // Requests an uncompressed response, because a compressed one could expand.
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
 * Only time and number differ between attempts. During a rotation the second secret signs in addition, because
 * receivers that compare X-Webhook-Signature must not see it change early.
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
