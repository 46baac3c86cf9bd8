/**
 * Exact names, compared without case, dashes and underscores. `message` is an SMS text here; a log line's own text is
 * `msg`.
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
/** X-Api-Key, deviceKey, receiverMsisdn, expectedTrxId, webhook_secret, refreshToken and their like. */
const SECRET_ENDINGS = ['apikey', 'devicekey', 'msisdn', 'trxid', 'secret', 'password', 'token', 'hookid'];
const DEEPEST = 6;
const REDACTED = '[redacted]';

function fold(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}

/**
 * Answers per spelling are remembered: names come from code, but the bound holds if a caller's own keys ever get here.
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

/**
 * The same fields with every value under a secret name replaced, at any depth. The input is not changed; a clean one is
 * returned as it is.
 */
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
  // Errors are shaped by their own serializer; where one hides deeper than a top-level field, the same shape is used.
  if (value instanceof Error) return depth === 1 ? value : describeError(value);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth > DEEPEST) return '[too deep]';
  if (Array.isArray(value)) {
    const clean = value.map((item: unknown) => redactValue(item, depth + 1));
    return clean.some((item, index) => item !== value[index]) ? clean : value;
  }
  return redactRecord(value as Record<string, unknown>, depth);
}

/** 01712345678, +8801712345678: a mobile number inside a longer text. */
const PHONE_NUMBER = /(?<!\d)(?:\+?88)?01[3-9]\d{8}(?!\d)/g;
/** sk_live_..., dk_test_...: our own credentials. */
const CREDENTIAL = /\b[sd]k_(?:test|live)_\w+/g;
/** postgres://user:password@host: the part between the scheme and the host. */
const USER_INFO = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi;

/** A constant text such as `match.decided` has none of the characters that make a secret possible. */
const POSSIBLE = /[\d@]|k_/;

/** A text without phone numbers, keys and passwords of URLs. */
export function scrub(text: string): string {
  if (!POSSIBLE.test(text)) return text;
  return text.replace(PHONE_NUMBER, REDACTED).replace(CREDENTIAL, REDACTED).replace(USER_INFO, '$1');
}

/**
 * An error as it may be logged: its kind, text, stack, code and causes. Other properties stay out, because drivers put
 * statements, parameters and row contents there.
 */
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
