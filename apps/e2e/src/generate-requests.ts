import fc, { type Arbitrary } from 'fast-check';
import type { ApiDocument, DescribedOperation, JsonSchema } from './api-document';
import { listedNames, textLike } from './boundary-values';

/** Contains the exact bytes of the body. */
export interface GeneratedRequest {
  readonly kind: 'valid' | 'near-valid' | 'hostile';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Values that code often does not expect. Each one replaces any field. */
const HOSTILE_VALUES: readonly unknown[] = [
  ...[null, true, -1, 0, 0.1, 1e21, -1e308, Number.MAX_SAFE_INTEGER + 2, '', ' ', '0', '-0', 'NaN', '1e5', 'null'],
  ...['\u0000', 'a\u0000b', '\ud800', '\udfff x', '\u202e\u0007', '💸'.repeat(50), 'x'.repeat(3_000), '১২৩৪৫৬'],
  ...[
    "'; drop table intents; --",
    '<script>alert(1)</script>',
    '../../etc/passwd',
    '${7*7}',
    '%00',
    'javascript:alert(1)',
  ],
  ...[
    '9999-12-31T23:59:59.999Z',
    '0000-00-00T00:00:00Z',
    '2026-02-30T00:00:00Z',
    'http://127.0.0.1:5432/',
    'http://[::1]/',
  ],
  ...[[], [[]], [null], {}, { $gt: '' }, { length: 1 }, { toString: 1 }, { constructor: { prototype: 1 } }],
];

/** Raw bodies that JSON.stringify would not produce. */
const HOSTILE_TEXTS: readonly string[] = [
  ...['{', '{"amount": 10,', '[', '"', '{"a":1}}', '{"a":1}{"b":2}', 'null', '[]', '"text"', '42', 'NaN', '\ufeff{}'],
  ...['{"amount":1e400}', `{"amount":${'9'.repeat(400)}}`, '{"amount":-0}', '{"ids":[1e999]}', '{"amount":0x10}'],
  ...['{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{"x":1}}}', '{"a":"\\u0000"}', '{"a":"\\ud800"}'],
  ...['{"amount":1,"amount":2}', '{"messages":{"length":3}}', '{"messages":[null,1,"x",[],{}]}', '{"\\u0000":1}'],
  ...['['.repeat(5_000), `${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`, `[${'{},'.repeat(9_000)}{}]`],
  `{"a":"${'x'.repeat(70_000)}"}`,
];

const HOSTILE_HEADERS: readonly Readonly<Record<string, string>>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'application/json; charset=utf-32' },
  { 'content-type': 'application/jsonx' },
  { 'content-type': '' },
  { ...JSON_TYPE, 'content-encoding': 'gzip' },
  { ...JSON_TYPE, 'content-encoding': 'nonsense' },
  { ...JSON_TYPE, 'x-request-id': 'x'.repeat(500) },
  { ...JSON_TYPE, 'x-request-id': '<script>' },
  { ...JSON_TYPE, 'x-forwarded-for': 'not an address, 10.0.0.1' },
  { ...JSON_TYPE, cookie: 'refresh_token=%00%zz; =; ;;;' },
];

const HOSTILE_IDS: readonly string[] = [
  ...['%00', '%', '%zz', '%c0%ae', '%2e%2e%2f%2e%2e', 'null', 'undefined', '0', '-1', '1e9', '%F0%9F%92%B8'],
  ...[
    '0193a5b0-7c1e-7000-8000-00000000000',
    '0193A5B0-7C1E-7000-8000-00000000000A',
    '00000000-0000-0000-0000-000000000000',
  ],
  ...[
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    "'--",
    '__proto__',
    'constructor',
    'x'.repeat(2_000),
    '%252e',
    '*',
    ':id',
  ],
];

const HOSTILE_QUERIES: readonly string[] = [
  ...[
    'page=0',
    'page=-1',
    'page=1.5',
    'page=1e3',
    'page=999999999&limit=100',
    'page=9999999999',
    'page=1&page=2',
    'page=',
  ],
  ...[
    'limit=0',
    'limit=x',
    'limit=%00',
    'limit[]=1',
    'limit[$gt]=1',
    'status=&status=',
    'status=__proto__',
    'status=PAID%00',
  ],
  ...['%', '%zz=1', '__proto__=1', '__proto__[x]=1', 'constructor=1', 'page', '=1', '&&&', '?', 'page=%E0%A4%A'],
  ...[
    'createdFrom=0',
    'createdTo=9999999-01-01',
    'from=never',
    'environment=TEST',
    `merchantReference=${'x'.repeat(3_000)}`,
  ],
  ...['customerReference=%F0%9F%92%B8', 'paymentMethod=ROCKET', 'subjectId=1', 'page=%EF%BC%91', 'page=১'],
];

export interface GenerateOptions {
  readonly document: ApiDocument;
  /** Existing ids that may be changed, by the path of their collection. Unknown ids are used if there are none. */
  readonly idsOf: (collection: string) => readonly string[];
}

/** An endless sequence of requests: valid ones, ones with one error, and attacks. */
export function requestsTo(operation: DescribedOperation, options: GenerateOptions): Arbitrary<GeneratedRequest> {
  const good = validRequest(operation, options);
  return fc.oneof(
    { arbitrary: good, weight: 3 },
    { arbitrary: nearValid(operation, options, good), weight: 4 },
    { arbitrary: hostile(operation, options, good), weight: 4 },
  );
}

export function valueOf(document: ApiDocument, schema: JsonSchema): Arbitrary<unknown> {
  const { examples, ...whole } = document.resolve(schema);
  const derived = derivedFrom(document, whole);
  return Array.isArray(examples) && examples.length > 0
    ? fc.oneof({ arbitrary: derived, weight: 3 }, fc.constantFrom<unknown>(...(examples as unknown[])))
    : derived;
}

function derivedFrom(document: ApiDocument, schema: JsonSchema): Arbitrary<unknown> {
  if (schema['const'] !== undefined) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom<unknown>(...(schema['enum'] as unknown[]));
  const { anyOf, oneOf, ...rest } = schema;
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) {
    return fc.oneof(
      ...choices.map((choice) => valueOf(document, { ...rest, ...document.resolve(choice as JsonSchema) })),
    );
  }
  const types = Array.isArray(schema['type']) ? (schema['type'] as string[]) : [String(schema['type'])];
  return fc.oneof(...types.map((type) => valueOfType(document, type, schema)));
}

function valueOfType(document: ApiDocument, type: string, schema: JsonSchema): Arbitrary<unknown> {
  const bound = (name: string, otherwise: number) => (schema[name] as number | undefined) ?? otherwise;
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: bound('minimum', bound('exclusiveMinimum', -1) + 1), max: bound('maximum', 100_000) });
    case 'number':
      return fc
        .integer({ min: 1, max: Math.min(bound('maximum', 100_000), 100_000) * 100 })
        .map((cents) => cents / 100);
    case 'string':
      return textOf(schema);
    case 'array':
      return fc.array(valueOf(document, (schema['items'] ?? {}) as JsonSchema), {
        minLength: bound('minItems', 0),
        maxLength: Math.min(bound('maxItems', 3), 3),
      });
    case 'object':
      return objectOf(document, schema);
    default:
      return fc.jsonValue();
  }
}

function textOf(schema: JsonSchema): Arbitrary<string> {
  switch (schema['format']) {
    case 'uuid':
      return fc.uuid();
    case 'date':
      return fc.integer({ min: 1, max: 28 }).map((day) => `2026-02-${String(day).padStart(2, '0')}`);
    case 'date-time':
      return fc
        .date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true })
        .map((date) => date.toISOString());
    case 'email':
      return fc.uuid().map((id) => `${id}@shop.example`);
    case 'uri':
      // Different hosts, because a merchant may have one unverified webhook endpoint per host.
      return fc
        .tuple(fc.uuid(), fc.constantFrom(['https', '/a'], ['http', '/b?c=d#e'], ['https', ':8443/']))
        .map(([id, [scheme, rest]]) => `${scheme}://${id}.shop.example${rest}`);
  }
  return textLike(schema);
}

/** Omits properties described as `{"not": {}}`, which an object must not have. */
export function possibleProperties(schema: JsonSchema): Record<string, JsonSchema> {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  return Object.fromEntries(properties.filter(([, { not }]) => !(isRecord(not) && Object.keys(not).length === 0)));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function objectOf(document: ApiDocument, schema: JsonSchema): Arbitrary<unknown> {
  const properties = Object.entries(possibleProperties(schema));
  const required = (schema['required'] ?? []) as string[];
  const more = schema['additionalProperties'];
  if (properties.length === 0 && typeof more === 'object') {
    const listed = listedNames(document, schema);
    const any = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme-ascii' });
    const key = listed.length === 0 ? any : fc.constantFrom(...listed);
    return fc.dictionary(key, valueOf(document, more as JsonSchema), { maxKeys: 4, noNullPrototype: true });
  }
  const model = Object.fromEntries(properties.map(([name, field]) => [name, valueOf(document, field)]));
  return fc.record(model, { requiredKeys: required, noNullPrototype: true });
}

interface Parts {
  readonly ids: readonly string[];
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

function partsOf(
  { path, parameters, body }: DescribedOperation,
  { document, idsOf }: GenerateOptions,
): Arbitrary<Parts> {
  const ids = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, schema }) => {
      const known = idsOf(path.slice(0, path.indexOf(`/{${name}}`)));
      const any = valueOf(document, schema).map(String);
      return known.length === 0 ? any : fc.oneof({ arbitrary: fc.constantFrom(...known), weight: 3 }, any);
    });
  const queries = parameters.filter((parameter) => parameter.in === 'query');
  const model = Object.fromEntries(queries.map(({ name, schema }) => [name, valueOf(document, schema)]));
  return fc.record({
    ids: fc.tuple(...ids),
    query: fc.record(model, { requiredKeys: queries.filter(({ required }) => required).map(({ name }) => name) }),
    body: body === undefined ? fc.constant(undefined) : valueOf(document, body),
  });
}

function validRequest(operation: DescribedOperation, options: GenerateOptions): Arbitrary<GeneratedRequest> {
  return partsOf(operation, options).map((parts) => ({ kind: 'valid', ...written(operation, parts) }));
}

function written({ path }: DescribedOperation, { ids, query, body }: Parts): Omit<GeneratedRequest, 'kind'> {
  let next = 0;
  const address = path.replace(/\{\w+\}/g, () => ids[next++] ?? '');
  const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return {
    path: search.length === 0 ? address : `${address}?${search.join('&')}`,
    headers: body === undefined ? {} : JSON_TYPE,
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}

function nearValid(
  operation: DescribedOperation,
  options: GenerateOptions,
  good: Arbitrary<GeneratedRequest>,
): Arbitrary<GeneratedRequest> {
  const wrong = fc.oneof(fc.constant(undefined), fc.constantFrom(...HOSTILE_VALUES));
  const brokenBody = fc.tuple(partsOf(operation, options), fc.nat(), wrong).map(([parts, at, value]) => ({
    kind: 'near-valid' as const,
    ...written(operation, { ...parts, body: withBroken(parts.body, at, value) }),
  }));
  const brokenQuery = fc
    .tuple(good, fc.constantFrom(...HOSTILE_QUERIES))
    .map(([request, query]) => ({ ...request, kind: 'near-valid' as const, path: withQuery(request.path, query) }));
  return operation.body === undefined ? brokenQuery : fc.oneof({ arbitrary: brokenBody, weight: 4 }, brokenQuery);
}

/** Replaces a field, or one in an object that it contains. `undefined` removes it. */
function withBroken(whole: unknown, at: number, value: unknown): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...(whole as object) };
  const names = Object.keys(fields);
  const name = names[at % names.length] ?? 'amount';
  const field = fields[name];
  const rest = Math.floor(at / Math.max(names.length, 1));
  const isInner = isRecord(field) && !Array.isArray(field) && Object.keys(field).length > 0 && rest % 2 === 0;
  return { ...fields, [name]: isInner ? withBroken(field, Math.floor(rest / 2), value) : value };
}

/** Escapes only characters that a request line cannot contain. Percent signs are not escaped. */
function withQuery(path: string, query: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${query.replace(/[^\x21-\x7e]/gu, encodeURIComponent)}`;
}

function hostile(
  operation: DescribedOperation,
  { document }: GenerateOptions,
  good: Arbitrary<GeneratedRequest>,
): Arbitrary<GeneratedRequest> {
  const oddPath = fc
    .tuple(good, fc.constantFrom(...HOSTILE_IDS), fc.constantFrom('', ...HOSTILE_QUERIES))
    .map(([request, id, query]) => {
      const path = operation.path.replace(/\{\w+\}/g, id);
      return { ...request, path: query === '' ? path : withQuery(path, query) };
    });
  const text = fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.json(), cutShort(document, operation));
  const oddBody = fc.tuple(good, text).map(([request, body]) => ({ ...request, body, headers: JSON_TYPE }));
  const oddHeaders = fc
    .tuple(good, fc.constantFrom(...HOSTILE_HEADERS))
    .map(([request, headers]) => ({ ...request, headers: { ...request.headers, ...headers } }));
  // Some proxies reject a GET with a body.
  const choices = operation.method === 'GET' ? [oddPath, oddHeaders] : [oddPath, oddBody, oddBody, oddHeaders];
  return fc.oneof(...choices).map((request) => ({ ...request, kind: 'hostile' }));
}

function cutShort(document: ApiDocument, { body }: DescribedOperation): Arbitrary<string> {
  const whole = body === undefined ? fc.jsonValue() : valueOf(document, body);
  return fc.tuple(whole, fc.nat(100)).map(([value, percent]) => {
    const text = JSON.stringify(value);
    return text.slice(0, Math.ceil((text.length * percent) / 100));
  });
}
