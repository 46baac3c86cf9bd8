/**
 * Exact names, compared without case, dashes and underscores. `message` is the text of an SMS; the text of a log line
 * is `msg`.
 */
const SECRET_NAMES = new Set(
  [
    'message',
    'text',
    'rawText',
    'body',
    'rawBody',
    'sender',
    'authorization',
    'proxyAuthorization',
    'cookie',
    'setCookie',
  ].map(fold),
);
/** Name parts, as in X-Api-Key, deviceKey, receiverMsisdn, expectedTrxId, webhook_secret, refreshToken. */
const SECRET_ENDINGS = ['apikey', 'devicekey', 'msisdn', 'trxid', 'secret', 'password', 'token', 'hookid'];
const DEEPEST = 6;
const REDACTED = '[redacted]';

function fold(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}

/**
 * Results are cached per spelling. Names come from code, but the cache is bounded in case names of callers reach it.
 */
const known = new Map<string, boolean>();

function isSecret(name: string): boolean {
  let answer = known.get(name);
  if (answer === undefined) {
    const folded = fold(name);
    answer = SECRET_NAMES.has(folded) || SECRET_ENDINGS.some((ending) => folded.endsWith(ending));
    if (known.size < 2_000) known.set(name, answer);
  }
  return answer;
}

/** The input is not modified, and is returned unchanged if it contains no secret. */
export function redact(fields: Record<string, unknown>): Record<string, unknown> {
  return redactRecord(fields, 0);
}

function redactRecord(fields: Record<string, unknown>, depth: number): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined;
  for (const name in fields) {
    const value = fields[name];
    if (value === null || value === undefined || typeof value === 'boolean') continue;
    const clean = isSecret(name) ? REDACTED : typeof value === 'object' ? redactValue(value, depth + 1) : value;
    if (clean !== value) (copy ??= { ...fields })[name] = clean;
  }
  return copy ?? fields;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  // Top-level errors have their own serializer; nested errors are written in the same form.
  if (value instanceof Error) return depth === 1 ? value : describeError(value);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth > DEEPEST) return '[too deep]';
  if (Array.isArray(value)) {
    const clean = value.map((item: unknown) => redactValue(item, depth + 1));
    return clean.some((item, index) => item !== value[index]) ? clean : value;
  }
  return redactRecord(value as Record<string, unknown>, depth);
}

/** A mobile number inside a longer text. Examples: 01712345678, +8801712345678 */
const PHONE_NUMBER = /(?<!\d)(?:\+?88)?01[3-9]\d{8}(?!\d)/g;
/** Credentials of this system. Examples: sk_live_..., dk_test_... */
const CREDENTIAL = /\b[sd]k_(?:test|live)_\w+/g;
/** User and password between the scheme and the host of a URL. Example: postgres://user:password@host */
const USER_INFO = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi;

/** A text without these characters, such as `match.decided`, cannot contain a secret. */
const POSSIBLE = /[\d@]|k_/;

export function scrub(text: string): string {
  if (!POSSIBLE.test(text)) return text;
  return text.replace(PHONE_NUMBER, REDACTED).replace(CREDENTIAL, REDACTED).replace(USER_INFO, '$1');
}

/** Other properties than these are omitted, because drivers store statements, parameters and row contents in them. */
export function describeError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error, message: scrub(String(error)) };
  const code: unknown = 'code' in error ? error.code : undefined;
  const constraint: unknown = 'constraint' in error ? error.constraint : undefined;
  return {
    type: error.name,
    message: scrub(error.message),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(error.stack === undefined ? {} : { stack: scrub(error.stack) }),
    ...(error.cause === undefined || depth >= 4 ? {} : { cause: describeError(error.cause, depth + 1) }),
    ...(error instanceof AggregateError && depth < 4
      ? { errors: error.errors.slice(0, 5).map((one: unknown) => describeError(one, depth + 1)) }
      : {}),
  };
}
