import {
  NEXT_SIGNATURE_HEADER,
  SIGNATURE_HEADER,
  STANDARD_ID_HEADER,
  STANDARD_SIGNATURE_HEADER,
  STANDARD_TIMESTAMP_HEADER,
  TIMESTAMP_HEADER,
  valuesOf,
  type WebhookHeaders,
} from './headers';
import { verify, verifyStandard } from './signature';

/** Unix seconds. Example: "1764000000". */
const UNIX_SECONDS = /^\d{1,12}$/;
const TOLERANCE_SECONDS = 300;

const STANDARD_HEADERS = [STANDARD_ID_HEADER, STANDARD_TIMESTAMP_HEADER, STANDARD_SIGNATURE_HEADER] as const;

/** The invalid part of a request: one of its headers, its signature, or its age. */
export type VerificationProblem = 'HEADER_MISSING' | 'HEADER_MALFORMED' | 'NO_SIGNATURE_MATCHES' | 'OUTSIDE_TOLERANCE';

/**
 * The request is not a webhook signed with these secrets; the message gives the reason and contains no secret. Respond
 * with 401.
 */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  constructor(
    readonly problem: VerificationProblem,
    /** The invalid header. */
    readonly header: string,
    message: string,
  ) {
    super(message);
  }
}

export interface VerifyOptions {
  /** The time to compare with; default: the clock of this machine. */
  readonly now?: Date;
  /** Maximum difference in seconds between the time of the attempt and `now`, in both directions; default 300. */
  readonly toleranceSeconds?: number;
  /**
   * Accepts a request without the Standard Webhooks headers by X-Webhook-Signature alone, which does not sign the time,
   * so that a captured request can be replayed at any later time. Only for proxies that remove the `webhook-*` headers;
   * default false.
   */
  readonly allowReplayableSignature?: boolean;
}

/**
 * Throws a WebhookVerificationError unless the request was signed with one of these secrets, and sent recently,
 * according to the Standard Webhooks headers. `rawBody` must be the received bytes, before any JSON parser.
 */
export function verifyWebhook(
  rawBody: Uint8Array | string,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { now = new Date(), toleranceSeconds = TOLERANCE_SECONDS, allowReplayableSignature = false }: VerifyOptions = {},
): void {
  const secrets = Array.isArray(secret) ? (secret as readonly string[]) : [secret as string];
  refuseMisuse(rawBody, secrets);
  const isStandard = !allowReplayableSignature || STANDARD_HEADERS.some((name) => valuesOf(headers, name).length > 0);
  const verifiedBy = isStandard ? verifiedByStandardHeaders : verifiedBySignature;
  const sentAt = verifiedBy(rawBody, headers, secrets);
  const away = Math.abs(now.getTime() - sentAt.milliseconds) / 1000;
  if (away <= toleranceSeconds) return;
  throw new WebhookVerificationError(
    'OUTSIDE_TOLERANCE',
    sentAt.header,
    `The time in ${sentAt.header} is ${Math.round(away)} seconds away from now, more than the ${toleranceSeconds} allowed: ` +
      'the request is a replay, or one of the clocks is wrong.',
  );
}

/** Errors of the caller, not of the request: a 401 would hide them. */
function refuseMisuse(rawBody: unknown, secrets: readonly unknown[]): void {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) {
    throw new TypeError('rawBody must be the raw request bytes (Express: express.raw), not a parsed JSON body.');
  }
  if (secrets.length === 0 || !secrets.every((each) => typeof each === 'string' && each !== '')) {
    throw new TypeError('The endpoint secret is missing or empty. Check the setting that contains it.');
  }
}

interface SendingTime {
  readonly header: string;
  readonly milliseconds: number;
}

function verifiedByStandardHeaders(
  rawBody: Uint8Array | string,
  headers: WebhookHeaders,
  secrets: readonly string[],
): SendingTime {
  const id = need(headers, STANDARD_ID_HEADER);
  const timestamp = need(headers, STANDARD_TIMESTAMP_HEADER);
  const signature = need(headers, STANDARD_SIGNATURE_HEADER);
  if (!UNIX_SECONDS.test(timestamp)) throw malformed(STANDARD_TIMESTAMP_HEADER, 'is not a time in Unix seconds');
  const isOurs = anyOf(secrets, (secret) => verifyStandard(id, Number(timestamp), rawBody, signature, secret));
  if (!isOurs) throw mismatch(STANDARD_SIGNATURE_HEADER);
  return { header: STANDARD_TIMESTAMP_HEADER, milliseconds: Number(timestamp) * 1000 };
}

function verifiedBySignature(
  rawBody: Uint8Array | string,
  headers: WebhookHeaders,
  secrets: readonly string[],
): SendingTime {
  const signature = need(headers, SIGNATURE_HEADER);
  const [next] = valuesOf(headers, NEXT_SIGNATURE_HEADER);
  const isOurs = anyOf(secrets, (secret) => verify(rawBody, signature, secret) || verify(rawBody, next, secret));
  if (!isOurs) throw mismatch(SIGNATURE_HEADER);
  const timestamp = need(headers, TIMESTAMP_HEADER);
  const milliseconds = Date.parse(timestamp);
  if (Number.isNaN(milliseconds)) throw malformed(TIMESTAMP_HEADER, 'is not an ISO 8601 time');
  return { header: TIMESTAMP_HEADER, milliseconds };
}

/** Checks every secret, so that the duration does not reveal which one matched. */
const anyOf = (secrets: readonly string[], isRight: (secret: string) => boolean): boolean =>
  secrets.map(isRight).includes(true);

function need(headers: WebhookHeaders, name: string): string {
  const [value, ...more] = valuesOf(headers, name);
  if (more.length > 0) throw malformed(name, 'appears more than once');
  if (value !== undefined) return value;
  const isStandard = STANDARD_HEADERS.some((each) => each === name);
  const hint = isStandard ? ` A webhook has all of ${STANDARD_HEADERS.join(', ')}; does a proxy remove them?` : '';
  throw new WebhookVerificationError('HEADER_MISSING', name, `The header ${name} is missing.${hint}`);
}

const malformed = (header: string, what: string): WebhookVerificationError =>
  new WebhookVerificationError('HEADER_MALFORMED', header, `The header ${header} ${what}.`);

function mismatch(header: string): WebhookVerificationError {
  return new WebhookVerificationError(
    'NO_SIGNATURE_MATCHES',
    header,
    `The signature in ${header} does not match this body and secret: check the secret, and verify the raw bytes of the ` +
      'body, not a parsed body.',
  );
}
