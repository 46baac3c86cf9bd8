import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS, OPERATIONS, type Operation } from '@pay/contracts';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { z } from 'zod';
import { describeApi, documentText } from './describe-api';
import type { JsonSchema, OpenApiOperation, OpenApiResponse } from './document';

const document = describeApi(OPERATIONS);

const minimal = {
  id: 'minimal',
  service: 'intent-api',
  method: 'get',
  path: '/v1/minimal',
  tag: 'Test',
  summary: 'Minimal',
  credential: { kind: 'none' },
  answers: { 200: { description: 'Well.' } },
} as const satisfies Operation;

function described(spec: Partial<Operation>): OpenApiOperation {
  const whole = { ...minimal, ...spec };
  const address = Object.values(describeApi([whole]).paths)[0];
  return Object.values(address ?? {})[0] as OpenApiOperation;
}

/** All values of this key, at any depth. */
function everywhere(key: string, part: unknown): unknown[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]) => [...(name === key ? [value] : []), ...everywhere(key, value)]);
}

describe('docs/openapi.json', () => {
  it('is generated from the operations: run node tools/api-description.mjs after changing them', () => {
    const committed = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'openapi.json'), 'utf8');
    expect(committed === documentText(document)).toBe(true);
  });
});

describe('the document', () => {
  it('contains every operation once, with its path', () => {
    const found = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId}: ${method} ${path}`),
    );
    const expected = OPERATIONS.map(
      ({ id, method, path }) => `${id}: ${method} ${path.replace(/:(?<name>\w+)/g, '{$<name>}')}`,
    );
    expect(found.sort()).toEqual(expected.sort());
  });

  it('does not depend on the order of the operations', () => {
    expect(documentText(describeApi([...OPERATIONS].reverse()))).toBe(documentText(document));
  });

  it('has no unresolved reference', () => {
    const resolve = (ref: string) =>
      ref
        .replace(/^#\//, '')
        .split('/')
        .reduce<unknown>((part, step) => (part as Record<string, unknown> | undefined)?.[step], document);
    const refs = everywhere('$ref', document) as string[];
    expect(refs.length).toBeGreaterThan(100);
    expect(refs.filter((ref) => resolve(ref) === undefined)).toEqual([]);
  });

  it('has valid JSON Schema 2020-12, and examples that satisfy it', () => {
    // Limits of a number or length beside a union of types are usual in OpenAPI; `strict` only requires another style.
    const ajv = addFormats(new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }));
    ajv.addVocabulary(Object.keys(document)).addSchema({ $id: 'api', ...document });
    const schemas = [...everywhere('schema', document), ...Object.values(document.components.schemas)] as JsonSchema[];
    const absolute = (schema: unknown) => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as JsonSchema;

    for (const schema of schemas) expect(() => ajv.compile(absolute(schema))).not.toThrow();
    const withExamples = Object.values(document.components.schemas).flatMap((schema) => [
      schema,
      ...(Object.values(schema['properties'] ?? {}) as JsonSchema[]),
    ]);
    for (const schema of withExamples) {
      for (const example of (schema['examples'] ?? []) as unknown[]) {
        expect({ example, obeys: ajv.validate(absolute(schema), example) }).toEqual({ example, obeys: true });
      }
    }
  });

  it('describes every field of a create request, with an example', () => {
    const { properties } = document.components.schemas['CreatePaymentIntent'] as {
      properties: Record<string, JsonSchema>;
    };
    const bare = Object.entries(properties).filter(([, field]) => !field['description'] || !field['examples']);
    expect(Object.keys(properties)).toHaveLength(16);
    expect(bare).toEqual([]);
  });

  it('lists X-Request-Id with every response, and Retry-After with 429', () => {
    const answers = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.values(responses));
    for (const answer of answers) {
      const name = '$ref' in answer ? answer.$ref.split('/').at(-1) : undefined;
      const whole = name === undefined ? (answer as OpenApiResponse) : document.components.responses[name];
      expect(whole?.headers).toHaveProperty(['X-Request-Id']);
    }
    expect(document.components.responses['TooManyRequests']?.headers).toHaveProperty(['Retry-After']);
  });

  it.each<[string, Partial<Operation>, boolean]>([
    ['an API key', { credential: { kind: 'apiKey', scope: 'payments:read' } }, true],
    ['a session', { credential: { kind: 'session', roles: ['OWNER'] } }, true],
    ['the public checkout', { service: 'checkout-api' }, true],
    ['no credential', {}, false],
    ['a device key', { credential: { kind: 'deviceKey' } }, false],
  ])(
    'lists the headers of the rate limit with successful responses to %s if they have them',
    (_who, spec, isLimited) => {
      const { headers = {} } = described(spec).responses['200'] as OpenApiResponse;

      expect(Object.keys(headers).filter((name) => name.startsWith('RateLimit-'))).toHaveLength(isLimited ? 3 : 0);
    },
  );

  it('describes every request to an endpoint, and the responses that are evaluated', () => {
    expect(Object.keys(document.webhooks)).toEqual([
      'payment.paid',
      'payment.review_required',
      'payment.expired',
      'payment.rejected',
      'alert.opened',
      'alert.closed',
      'webhook.endpoint_verification',
      'webhook.test',
      'webhook.order_status',
    ]);
    const answered = Object.entries(document.webhooks).flatMap(([name, { post }]) => {
      const { content } = post.responses['2XX'] as OpenApiResponse;
      return content === undefined ? [] : [[name, content['application/json']?.example] as const];
    });
    expect(Object.fromEntries(answered)).toEqual({
      'webhook.endpoint_verification': { challenge: expect.any(String) },
      'webhook.order_status': { stored: true, fulfilled: false },
    });
  });
});

describe('describeApi', () => {
  const statuses = (spec: Partial<Operation>) => Object.keys(described(spec).responses).join(' ');

  it.each<[string, Partial<Operation>, string]>([
    ['nothing', {}, '200 400 429 500 503'],
    ['a body', { method: 'post', body: z.object({}) }, '200 400 413 415 429 500 503'],
    ['path parameters', { path: '/v1/:id', params: z.object({ id: z.uuid() }) }, '200 400 404 429 500 503'],
    ['an API key', { credential: { kind: 'apiKey', scope: 'payments:read' } }, '200 400 401 403 429 500 503'],
    ['a session', { credential: { kind: 'session', roles: ['OWNER'] } }, '200 400 401 403 429 500 503'],
    ['a device key', { credential: { kind: 'deviceKey' } }, '200 400 401 429 500 503'],
    ['its own errors', { errors: ['INTENT_EXPIRED', 'IDEMPOTENCY_KEY_REUSED'] }, '200 400 409 422 429 500 503'],
  ])('derives the responses of an operation with %s', (_what, spec, expected) => {
    expect(statuses(spec)).toBe(expected);
  });

  it('lists the codes of a status, including those implied by the operation', () => {
    const answer = described({
      credential: { kind: 'apiKey', scope: 'payments:read' },
      errors: ['PAIRING_REFUSED'],
    }).responses['401'] as OpenApiResponse;

    expect(everywhere('enum', answer.content)).toEqual([['UNAUTHORIZED', 'PAIRING_REFUSED']]);
    expect(answer.description).toContain(ERRORS.PAIRING_REFUSED.message);
  });

  it.each<[string, Partial<Operation>, unknown]>([
    ['no credential', {}, []],
    ['scope', { credential: { kind: 'apiKey', scope: 'webhooks:write' } }, [{ ApiKey: ['webhooks:write'] }]],
    ['roles', { credential: { kind: 'session', roles: ['OWNER', 'ADMIN'] } }, [{ Session: ['OWNER', 'ADMIN'] }]],
  ])('names %s', (_what, spec, expected) => {
    expect(described(spec).security).toEqual(expected);
    expect(described(spec).description).toMatch(/^Requires /);
  });

  it('describes the accepted input, not the result of transformations', () => {
    const page = z.string().regex(/^\d+$/).transform(Number).default(1).meta({ type: 'integer', minimum: 1 });
    const upper = z
      .string()
      .max(3)
      .transform((text) => BigInt(text))
      .meta({ examples: ['12'] });
    const { parameters, requestBody } = described({
      method: 'post',
      query: z.object({ page }),
      body: z.object({ upper }),
    });

    expect(parameters).toEqual([
      { name: 'page', in: 'query', required: false, schema: { type: 'integer', minimum: 1 } },
    ]);
    expect(requestBody?.content['application/json']?.schema).toEqual({
      type: 'object',
      properties: { upper: { type: 'string', maxLength: 3, examples: ['12'] } },
      required: ['upper'],
    });
  });

  it('allows fields in responses that are added later', () => {
    const { responses } = described({ answers: { 200: { description: 'Well.', body: z.object({ a: z.string() }) } } });
    expect(everywhere('additionalProperties', responses)).toEqual([]);
  });

  it('lists headers and content types of a response', () => {
    const { responses } = described({
      answers: {
        200: { description: 'Well.', headers: { 'Set-Cookie': 'The token.' }, contentType: 'text/event-stream' },
      },
    });
    expect(responses['200']).toMatchObject({
      headers: { 'Set-Cookie': { description: 'The token.' } },
      content: { 'text/event-stream': {} },
    });
  });

  it('refuses two schemas with the same id', () => {
    const named = (body: z.ZodType): Partial<Operation> => ({ answers: { 200: { description: 'Well.', body } } });
    const [a, b] = [z.object({ a: z.string() }).meta({ id: 'Twin' }), z.object({ b: z.string() }).meta({ id: 'Twin' })];
    const twins = [named(a), named(b)].map((spec, index) => ({ ...minimal, path: `/v1/${index}`, ...spec }));
    expect(() => describeApi(twins)).toThrow('two different schemas have the id Twin');
  });
});
