import {
  headerOf,
  NEXT_SIGNATURE_HEADER,
  SIGNATURE_HEADER,
  STANDARD_ID_HEADER,
  STANDARD_SIGNATURE_HEADER,
  STANDARD_TIMESTAMP_HEADER,
  TIMESTAMP_HEADER,
  type WebhookHeaders,
} from './headers';
import { verify, verifyStandard } from './signature';

/** Unix seconds. Example: "1764000000". */
const UNIX_SECONDS = /^\d{1,12}$/;

const STANDARD_HEADERS = [STANDARD_ID_HEADER, STANDARD_TIMESTAMP_HEADER, STANDARD_SIGNATURE_HEADER] as const;

/** The request is not a webhook of ours for this secret; the message says what is wrong. Answer 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

export interface VerifyOptions {
  readonly now: Date;
  /** How far the time of the attempt may be from `now`, either way. */
  readonly toleranceSeconds?: number;
}

/**
 * Throws a WebhookVerificationError unless the request was signed with this secret and sent recently. The Standard Webhooks headers
 * decide when they are there: they sign the time as well, and while a secret is being rotated they carry a signature for each of the two.
 * Without them X-Webhook-Signature decides, or X-Webhook-Signature-Next for who knows the new secret alone, and the time is that of X-Webhook-Timestamp, which nothing signs.
 * `rawBody` must be the bytes as they came, before any JSON parser.
 */
export function verifyWebhook(
  rawBody: Buffer | string,
  headers: WebhookHeaders,
  secret: string,
  { now, toleranceSeconds = 300 }: VerifyOptions,
): void {
  const sentAt = verifiedByStandardHeaders(rawBody, headers, secret) ?? verifiedBySignature(rawBody, headers, secret);
  const away = Math.abs(now.getTime() - sentAt.milliseconds) / 1000;
  if (away <= toleranceSeconds) return;
  throw new WebhookVerificationError(
    `The time in ${sentAt.header} is ${Math.round(away)} seconds away from now, more than the ${toleranceSeconds} allowed: ` +
      'the request is a replay, or one of the clocks is wrong.',
  );
}

interface SendingTime {
  readonly header: string;
  readonly milliseconds: number;
}

function verifiedByStandardHeaders(
  rawBody: Buffer | string,
  headers: WebhookHeaders,
  secret: string,
): SendingTime | undefined {
  const [id, timestamp, signature] = STANDARD_HEADERS.map((name) => headerOf(headers, name));
  if (id === undefined && timestamp === undefined && signature === undefined) return undefined;
  if (id === undefined || timestamp === undefined || signature === undefined) {
    throw new WebhookVerificationError(`The headers ${STANDARD_HEADERS.join(', ')} belong together; one is missing.`);
  }
  if (!UNIX_SECONDS.test(timestamp)) {
    throw new WebhookVerificationError(`The header ${STANDARD_TIMESTAMP_HEADER} is not a time in Unix seconds.`);
  }
  if (!verifyStandard(id, Number(timestamp), rawBody, signature, secret)) throw mismatch(STANDARD_SIGNATURE_HEADER);
  return { header: STANDARD_TIMESTAMP_HEADER, milliseconds: Number(timestamp) * 1000 };
}

function verifiedBySignature(rawBody: Buffer | string, headers: WebhookHeaders, secret: string): SendingTime {
  const signature = headerOf(headers, SIGNATURE_HEADER);
  if (signature === undefined) throw new WebhookVerificationError(`The header ${SIGNATURE_HEADER} is missing.`);
  const next = headerOf(headers, NEXT_SIGNATURE_HEADER);
  if (!verify(rawBody, signature, secret) && !verify(rawBody, next, secret)) throw mismatch(SIGNATURE_HEADER);
  const timestamp = headerOf(headers, TIMESTAMP_HEADER);
  if (timestamp === undefined) throw new WebhookVerificationError(`The header ${TIMESTAMP_HEADER} is missing.`);
  const milliseconds = Date.parse(timestamp);
  if (Number.isNaN(milliseconds)) {
    throw new WebhookVerificationError(`The header ${TIMESTAMP_HEADER} is not an ISO 8601 time.`);
  }
  return { header: TIMESTAMP_HEADER, milliseconds };
}

function mismatch(header: string): WebhookVerificationError {
  return new WebhookVerificationError(
    `The signature in ${header} does not belong to this body and secret: check the secret, and that the body is verified as raw ` +
      'bytes before anything parses it.',
  );
}
