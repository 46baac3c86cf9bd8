import fc from 'fast-check';
import type { ApiDocument, DescribedOperation, JsonSchema } from './api-document';
import { alternativesOf, boundaryValues } from './boundary-values';
import { possibleProperties, valueOf, type GenerateOptions } from './generate-requests';

/** A request whose validity follows from the document. */
export interface ContractRequest {
  readonly isValid: boolean;
  /** The difference from an ordinary request. Example: `body.amount = "0"`. */
  readonly about: string;
  readonly place: 'path' | 'query' | 'body' | 'header';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Format of the changed text, if its schema has one. Example: `email`. */
  readonly format?: string | undefined;
}

interface Parts {
  readonly ids: Readonly<Record<string, string>>;
  /** A list is sent as a repeated parameter. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

export interface ContractOptions extends GenerateOptions {
  readonly seed: number;
  /** Maximum number of requests to an operation, of each kind. */
  readonly most: number;
  /**
   * The first operation with such a format gets all its values, regardless of the maximum. The format is then removed
   * from the set.
   */
  readonly whole?: Set<string>;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const OTHER_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/xml',
  'multipart/form-data; boundary=x',
];
const BROKEN_JSON = ['{', '{"a":1}}', "{'a':1}", '{"a":NaN}', '\ufeff{}x'];
const MOST_DEEP = 4;

/**
 * Each request differs in one place from an ordinary valid one, with a value at or beyond a limit of the document.
 * Requests that violate the document in other places too are omitted.
 */
export function contractRequests(operation: DescribedOperation, options: ContractOptions): ContractRequest[] {
  const ordinary = ordinaryParts(operation, options);
  const all = [
    ...ordinary.map((parts, index) => request(operation, parts, `ordinary request ${index}`, 'body', true)),
    ...pathRequests(operation, ordinary),
    ...queryRequests(operation, ordinary, options),
    ...bodyRequests(operation, ordinary, options),
    ...bodyFormRequests(operation, ordinary),
  ];
  const distinct = [...new Map(all.map((one) => [JSON.stringify([one.path, one.headers, one.body]), one])).values()];
  const drawn = [true, false].flatMap((isValid) =>
    spread(
      distinct.filter((one) => one.isValid === isValid),
      options,
    ),
  );
  const whole = distinct.filter(({ format }) => format !== undefined && options.whole?.has(format));
  for (const { format } of whole) options.whole?.delete(String(format));
  return [...new Set([...drawn, ...whole])];
}

/** A valid request with only the required fields. */
export function ordinaryRequest(
  operation: DescribedOperation,
  options: Omit<ContractOptions, 'most'>,
): ContractRequest {
  const [parts] = ordinaryParts(operation, options);
  if (parts === undefined) throw new Error(`${operation.id} has no ordinary request`);
  return request(operation, parts, 'ordinary request', 'body', true);
}

/** Draws an equal number of requests from each place, with the seed, and keeps their order. */
function spread(requests: readonly ContractRequest[], { most, seed }: ContractOptions): readonly ContractRequest[] {
  if (requests.length <= most) return requests;
  const indices = fc.sample(fc.shuffledSubarray([...requests.keys()], { minLength: most, maxLength: most }), {
    numRuns: 1,
    seed,
  })[0] as number[];
  return indices.sort((a, b) => a - b).map((index) => requests[index] as ContractRequest);
}

/** Valid requests with required and random fields, with all fields, and with some of them. */
function ordinaryParts(
  operation: DescribedOperation,
  { document, idsOf, seed }: Omit<ContractOptions, 'most'>,
): Parts[] {
  const { parameters, path, body } = operation;
  const ids: Record<string, string> = {};
  for (const { name, schema } of parameters.filter((parameter) => parameter.in === 'path')) {
    const [known] = idsOf(path.slice(0, path.indexOf(`/{${name}}`)));
    ids[name] = known ?? String(fc.sample(valueOf(document, schema), { numRuns: 1, seed })[0]);
  }
  const queries = parameters.filter((parameter) => parameter.in === 'query');
  const required = queries.filter((parameter) => parameter.required).map(({ name }) => name);
  const model = Object.fromEntries(queries.map(({ name, schema }) => [name, obeying(document, schema)]));
  const query = fc.sample(fc.record(model, { requiredKeys: required, noNullPrototype: true }), { numRuns: 3, seed });
  const onlyRequired = Object.fromEntries(Object.entries(query[0] ?? {}).filter(([name]) => required.includes(name)));
  const bodies = body === undefined ? [undefined] : ordinaryBodies(document, body, seed);
  return bodies.map((one, index) => ({ ids, query: index === 0 ? onlyRequired : (query[index % 3] ?? {}), body: one }));
}

function ordinaryBodies(document: ApiDocument, body: JsonSchema, seed: number): unknown[] {
  const whole = alternativesOf(document, body).flatMap((schema) =>
    [
      { ...schema, properties: requiredOf(schema) },
      { ...schema, required: Object.keys(possibleProperties(schema)) },
    ].flatMap((one) => fc.sample(obeying(document, one, body), { numRuns: 1, seed })),
  );
  return [...whole, ...fc.sample(obeying(document, body), { numRuns: 8, seed })];
}

function requiredOf(schema: JsonSchema): Record<string, unknown> {
  const required = (schema['required'] ?? []) as readonly string[];
  return Object.fromEntries(Object.entries(schema['properties'] ?? {}).filter(([name]) => required.includes(name)));
}

function obeying(document: ApiDocument, schema: JsonSchema, rule = schema): fc.Arbitrary<unknown> {
  return valueOf(document, schema).filter((value) => document.obeys(rule, value));
}

function pathRequests(operation: DescribedOperation, [parts]: readonly Parts[]): ContractRequest[] {
  if (parts === undefined) return [];
  return operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .flatMap(({ name }) =>
      ['x', '0', 'null', '%F0%9F%92%B8', 'a'.repeat(200)].map((id) =>
        request(operation, { ...parts, ids: { ...parts.ids, [name]: id } }, `path.${name} = ${id}`, 'path', false),
      ),
    );
}

function queryRequests(
  operation: DescribedOperation,
  [parts]: readonly Parts[],
  { document, seed }: ContractOptions,
): ContractRequest[] {
  if (parts === undefined) return [];
  const queries = operation.parameters.filter((parameter) => parameter.in === 'query');
  const changed = queries.flatMap(({ name, schema, required }) => {
    const values = boundaryValues(document, schema, seed)
      .filter((value) => ['string', 'number'].includes(typeof value))
      .filter((value) => document.obeys(schema, value) || !isTakenAllTheSame(document, schema, value));
    const one = (value: unknown, isValid: boolean) =>
      request(
        operation,
        { ...parts, query: { ...parts.query, [name]: value } },
        `query.${name} = ${JSON.stringify(value).slice(0, 80)}`,
        'query',
        isValid,
      );
    const { [name]: _without, ...others } = parts.query;
    return [
      ...values.map((value) => ({
        ...one(value, document.obeys(schema, asParameter(document, schema, value))),
        format: formatOf(document, schema),
      })),
      one([values[0], values[0]], false),
      ...(required ? [request(operation, { ...parts, query: others }, `no query.${name}`, 'query', false)] : []),
    ];
  });
  const unknown = request(
    operation,
    { ...parts, query: { ...parts.query, unknown: '1' } },
    'unknown in query',
    'query',
    true,
  );
  return [...changed, unknown];
}

function formatOf(document: ApiDocument, schema: JsonSchema): string | undefined {
  return alternativesOf(document, schema)
    .map(({ format }) => format)
    .find((format) => typeof format === 'string');
}

/** Text in a URL is parsed for its schema: "7" is a number if the schema requires one. */
function asParameter(document: ApiDocument, schema: JsonSchema, value: unknown): unknown {
  const isNumeric = alternativesOf(document, schema).some(({ type }) => type === 'integer' || type === 'number');
  if (!isNumeric) return String(value);
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(String(value)) ? Number(value) : String(value);
}

function bodyRequests(
  operation: DescribedOperation,
  ordinary: readonly Parts[],
  { document, seed }: ContractOptions,
): ContractRequest[] {
  const { body: schema } = operation;
  const [least] = ordinary;
  if (schema === undefined || least === undefined) return [];
  const seen = new Set<string>();
  return ordinary.flatMap((parts) =>
    placesIn(document, schema, parts.body)
      .flatMap(({ at, schema: inner }): ContractRequest[] => {
        const name = ['body', ...at].join('.');
        if (seen.has(name)) return [];
        seen.add(name);
        const values: unknown[] = [...boundaryValues(document, inner, seed), ...(at.length === 0 ? [] : [undefined])];
        return values
          .filter((value) => document.obeys(inner, value) || !isTakenAllTheSame(document, inner, value))
          .map((value) => ({ value, body: replaced(parts.body, at, value) }))
          .map(({ value, body }) => {
            const about = value === undefined ? `no ${name}` : `${name} = ${JSON.stringify(value).slice(0, 80)}`;
            const made = request(operation, { ...parts, body }, about, 'body', document.obeys(schema, body));
            return { ...made, format: formatOf(document, inner) };
          });
      })
      .concat(withUnknown(operation, parts, document)),
  );
}

/** Unknown fields must be ignored, whatever their value is. */
function withUnknown(operation: DescribedOperation, parts: Parts, document: ApiDocument): ContractRequest[] {
  if (typeof parts.body !== 'object' || parts.body === null) return [];
  return [1, 'text', 'a\u0000b', { 'k\u0000': ['\u0000'] }].map((value) => {
    const body = { ...(parts.body as object), unknown: value };
    const about = `body.unknown = ${JSON.stringify(value)}`;
    return request(operation, { ...parts, body }, about, 'body', document.obeys(operation.body ?? {}, body));
  });
}

/** Requests that the API accepts although the document does not allow them. All others must be refused. */
const LENIENCIES: readonly {
  readonly reason: string;
  readonly applies: (document: ApiDocument, schema: JsonSchema, text: string) => boolean;
}[] = [
  {
    reason: 'white space around a text is removed before its rules apply',
    applies: (document, schema, text) => text !== text.trim() && document.obeys(schema, text.trim()),
  },
  {
    reason: 'a URL that browsers understand is taken although no pattern describes its host, such as an IPv6 address',
    applies: (document, schema, text) =>
      URL.canParse(text) &&
      alternativesOf(document, schema).some(({ pattern }) => String(pattern).startsWith('^[Hh][Tt][Tt][Pp]')),
  },
];

function isTakenAllTheSame(document: ApiDocument, schema: JsonSchema, value: unknown): boolean {
  return typeof value === 'string' && LENIENCIES.some(({ applies }) => applies(document, schema, value));
}

interface Place {
  readonly at: readonly (string | number)[];
  readonly schema: JsonSchema;
}

/** All places of a value that its schema describes, starting with the value itself. */
function placesIn(document: ApiDocument, schema: JsonSchema, value: unknown, at: Place['at'] = []): Place[] {
  const here = { at, schema };
  if (at.length >= MOST_DEEP || typeof value !== 'object' || value === null) return [here];
  const inner = alternativesOf(document, schema).flatMap((alternative) => {
    if (Array.isArray(value)) {
      const items = alternative['items'] as JsonSchema | undefined;
      return items === undefined || value.length === 0 ? [] : placesIn(document, items, value[0], [...at, 0]);
    }
    return Object.entries((alternative['properties'] ?? {}) as Record<string, JsonSchema>).flatMap(([name, field]) =>
      placesIn(document, field, (value as Record<string, unknown>)[name], [...at, name]),
    );
  });
  return [here, ...inner];
}

/** A copy with another value at this place. `undefined` removes it. */
function replaced(value: unknown, [step, ...rest]: Place['at'], by: unknown): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => (index === step ? replacedItem(item, rest, by) : [item]));
  }
  const { [step]: old, ...others } = (value ?? {}) as Record<string | number, unknown>;
  const made = replaced(old, rest, by);
  return made === undefined ? others : { ...others, [step]: made };
}

function replacedItem(item: unknown, rest: Place['at'], by: unknown): unknown[] {
  const made = replaced(item, rest, by);
  return made === undefined ? [] : [made];
}

/** Bodies that are missing, not JSON, or declared as another type. */
function bodyFormRequests(operation: DescribedOperation, [parts]: readonly Parts[]): ContractRequest[] {
  if (operation.body === undefined || parts === undefined) return [];
  const ordinary = request(operation, parts, '', 'body', false);
  const isOptional = !operation.needsBody;
  return [
    { ...ordinary, about: 'no body', headers: {}, body: undefined, isValid: isOptional },
    { ...ordinary, about: 'an empty body', body: '', isValid: isOptional },
    ...BROKEN_JSON.map((body) => ({ ...ordinary, about: `the body ${body}`, body })),
    ...OTHER_TYPES.map((type) => ({
      ...ordinary,
      about: `a body of type ${type}`,
      place: 'header' as const,
      headers: { 'content-type': type },
    })),
  ];
}

function request(
  { path }: DescribedOperation,
  { ids, query, body }: Parts,
  about: string,
  place: ContractRequest['place'],
  isValid: boolean,
): ContractRequest {
  const address = path.replace(/\{(\w+)\}/g, (_whole, name: string) => ids[name] ?? '');
  const search = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) => [value].flat().map((one) => `${name}=${encodeURIComponent(String(one))}`));
  return {
    isValid,
    about,
    place,
    path: search.length === 0 ? address : `${address}?${search.join('&')}`,
    headers: body === undefined ? {} : JSON_TYPE,
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}
