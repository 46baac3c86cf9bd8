import { createHmac, timingSafeEqual } from 'node:crypto';

const PREFIX = 'sha256=';

/**
 * The value of X-Webhook-Signature: `sha256=` and the lower-case hex HMAC-SHA-256 of the raw body, keyed with the
 * secret.
 */
export function sign(rawBody: Uint8Array | string, secret: string): string {
  return PREFIX + createHmac('sha256', keyOf(secret)).update(rawBody).digest('hex');
}

/**
 * One entry of the webhook-signature header of Standard Webhooks: `v1,` and the base64 HMAC-SHA-256 of
 * `id.timestamp.body`. Id and time are signed too, so a captured request cannot be sent again under a new time.
 */
export function signStandard(
  id: string,
  timestampSeconds: number,
  rawBody: Uint8Array | string,
  secret: string,
): string {
  const mac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestampSeconds}.`).update(rawBody);
  return `v1,${mac.digest('base64')}`;
}

/**
 * Whether X-Webhook-Signature is valid for exactly these bytes; false for malformed values. Compares in constant time.
 */
export function verify(rawBody: Uint8Array | string, signatureHeader: string | undefined, secret: string): boolean {
  const expected = sign(rawBody, secret);
  return signatureHeader !== undefined && equal(signatureHeader, expected);
}

/**
 * Whether one of the space-separated entries of webhook-signature is valid; during a rotation there is one per secret.
 */
export function verifyStandard(
  id: string,
  timestampSeconds: number,
  rawBody: Uint8Array | string,
  signatureHeader: string,
  secret: string,
): boolean {
  const expected = signStandard(id, timestampSeconds, rawBody, secret);
  return signatureHeader.split(' ').some((entry) => equal(entry, expected));
}

/** An empty secret, as of a missing environment variable, would let anyone forge signatures. */
function keyOf(secret: string): string {
  if (secret === '') throw new TypeError('The webhook secret must not be empty. Set it to the secret of the endpoint.');
  return secret;
}

/** The length is not secret; the position of the first difference would be. */
function equal(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
