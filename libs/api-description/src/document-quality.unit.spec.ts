import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS, OPERATIONS, type ErrorCode } from '@pay/contracts';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { describeApi, GATEWAY } from './describe-api';
import type { JsonSchema, MediaType, OpenApiResponse } from './document';

const document = describeApi(OPERATIONS);
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ address: `${method} ${path}`, operation })),
);

function responseOf(response: OpenApiResponse | { readonly $ref: string }): OpenApiResponse {
  const name = '$ref' in response ? (response.$ref.split('/').at(-1) ?? '') : undefined;
  const whole = name === undefined ? (response as OpenApiResponse) : document.components.responses[name];
  if (whole === undefined) throw new Error(`no response ${String(name)}`);
  return whole;
}

/** Every JSON body: its location, its schema and its examples. */
function bodies(): (readonly [address: string, body: MediaType])[] {
  const jsonOf = (address: string, content: Readonly<Record<string, MediaType>> = {}) =>
    Object.entries(content)
      .filter(([type, { schema }]) => type === 'application/json' && schema !== undefined)
      .map(([, body]) => [address, body] as const);
  return [
    ...operations.flatMap(({ address, operation }) => [
      ...jsonOf(`${address} request`, operation.requestBody?.content),
      ...Object.entries(operation.responses).flatMap(([status, response]) =>
        jsonOf(`${address} ${status}`, responseOf(response).content),
      ),
    ]),
    ...Object.entries(document.webhooks).flatMap(([event, { post }]) => jsonOf(event, post.requestBody?.content)),
  ];
}

function streamOf(path: string): MediaType {
  const answer = document.paths[path]?.['get']?.responses['200'] as OpenApiResponse;
  return answer.content?.['text/event-stream'] as MediaType;
}

/** All nested schemas, with the name of their field. References are followed once. */
function fields(schema: unknown, name: string, seen = new Set<string>()): (readonly [string, JsonSchema])[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const given = schema as JsonSchema;
  const ref = typeof given['$ref'] === 'string' ? given['$ref'] : undefined;
  if (ref !== undefined) {
    if (seen.has(ref)) return [];
    return fields(document.components.schemas[ref.split('/').at(-1) ?? ''], name, seen.add(ref));
  }
  const inner = ['anyOf', 'oneOf'].flatMap((key) => (given[key] ?? []) as readonly JsonSchema[]);
  return [
    [name, given],
    ...inner.flatMap((each) => fields(each, name, seen)),
    ...Object.entries((given['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>).flatMap(([key, each]) =>
      fields(each, key, seen),
    ),
    ...fields(given['items'], name, seen),
    ...fields(given['additionalProperties'], name, seen),
  ];
}

/** The numbered steps of a text, each on one line. */
function stepsIn(text: string): string[] {
  const [list = ''] = /^1\. [^]*?(?=\n\n)/m.exec(text) ?? [];
  return list.split(/\n(?=\d\. )/).map((step) => step.replaceAll(/\s+/g, ' ').trim());
}

const headersIn = (step: string): string[] => [...new Set(step.match(/`(?:webhook-|X-Webhook-)[^`]+`/g))].sort();

describe('the API document', () => {
  it('begins with authentication and a command for the gateway', () => {
    const [first = ''] = document.info.description.split('## ').slice(1);

    expect(first).toMatch(/^Authentication\n/);
    expect(first).toContain(`curl -sS ${GATEWAY}/v1/payments/intents`);
    expect(first).toContain('X-Api-Key: $API_KEY');
  });

  it('has the default rate limits in its introduction', () => {
    const text = document.info.description.split('## Rate limits')[1]?.replaceAll(/\s+/g, ' ') ?? '';

    expect(text).toContain('One API key may send 100 requests per second in LIVE and 25 in SANDBOX');
    expect(text).toContain('all keys of a merchant together 300 and 75');
    expect(text).toContain('3,000 requests per minute, of them 60 for the view of one intent');
    expect(text).toContain('accepts 10 transaction IDs per minute');
  });

  it('has an example of every body, and every example satisfies its schema', () => {
    const ajv = addFormats(new Ajv2020({ strict: false }));
    ajv.addVocabulary(Object.keys(document)).addSchema({ $id: 'api', ...document });
    const absolute = (schema: unknown) => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as JsonSchema;
    const problems = bodies().flatMap(([address, { schema, example, examples = {} }]) => {
      const given = example === undefined ? Object.values(examples).map(({ value }) => value) : [example];
      if (given.length === 0) return [`${address}: no example`];
      return given.flatMap((each) => (ajv.validate(absolute(schema), each) ? [] : [`${address}: ${ajv.errorsText()}`]));
    });

    expect(bodies().length).toBeGreaterThan(300);
    expect(problems).toEqual([]);
  });

  it('has an example of every text that a client reads', () => {
    const texts = operations.flatMap(({ address, operation }) =>
      Object.values(operation.responses).flatMap((response) =>
        Object.entries(responseOf(response).content ?? {})
          .filter(([type]) => ['text/csv', 'text/event-stream', 'application/xml'].includes(type))
          .map(([type, { example }]) => [`${address} ${type}`, example] as const),
      ),
    );

    expect(texts.length).toBeGreaterThan(8);
    expect(texts.filter(([, example]) => typeof example !== 'string').map(([address]) => address)).toEqual([]);
  });

  it('has no placeholder in an example, and correct counts in example pages', () => {
    const examples = bodies().map(([address, { example }]) => [address, JSON.stringify(example ?? null)] as const);
    const placeholders = examples.filter(([, example]) => /[[:]"text"/.test(example)).map(([address]) => address);
    const miscounted = examples.filter(([, example]) => /"total":0/.test(example)).map(([address]) => address);

    expect({ placeholders, miscounted }).toEqual({ placeholders: [], miscounted: [] });
  });

  it('has the verification steps of the page about webhooks in every webhook', () => {
    const page = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'webhooks', 'README.md'), 'utf8');
    const steps = stepsIn(page.split('## How to verify\n')[1] ?? '');

    expect(steps).toHaveLength(6);
    for (const { post } of Object.values(document.webhooks)) {
      const described = stepsIn(post.description ?? '');
      expect(described.map(headersIn)).toEqual(steps.map(headersIn));
      expect(described.slice(4)).toEqual(steps.slice(4));
    }
  });

  it('names the signatures without a time only as replayable, after the signature to verify', () => {
    for (const { post } of Object.values(document.webhooks)) {
      const names = post.parameters?.map(({ name }) => name) ?? [];
      const replayable = post.parameters?.filter(({ description }) =>
        /Replayable; only for older/.test(description ?? ''),
      );

      expect(replayable?.map(({ name }) => name)).toEqual(['X-Webhook-Signature', 'X-Webhook-Signature-Next']);
      expect(names.indexOf('webhook-signature')).toBeLessThan(names.indexOf('X-Webhook-Signature'));
    }
  });

  it('has no secret in an example that libraries of Standard Webhooks would decode', () => {
    const examples = bodies().map(([, { example }]) => JSON.stringify(example ?? null));

    expect(examples.filter((example) => example.includes('whsec_'))).toEqual([]);
    expect(JSON.stringify(document.components.schemas)).not.toMatch(/"whsec_/);
  });

  it('has the matching status in the example of every webhook about a payment', () => {
    const aboutPayments = Object.entries(document.webhooks).filter(([event]) => event.startsWith('payment.'));
    const statuses = aboutPayments.map(([event, { post }]) => {
      const body = post.requestBody?.content['application/json']?.example as {
        readonly data: { readonly status: string };
      };
      return [event, body.data.status];
    });

    expect(Object.fromEntries(statuses)).toEqual({
      'payment.paid': 'PAID',
      'payment.review_required': 'REVIEW_REQUIRED',
      'payment.expired': 'EXPIRED',
      'payment.rejected': 'REJECTED',
    });
  });

  it('has only the times and reasons of the status in examples of an intent or an SMS', () => {
    const statusesOf: Readonly<Record<string, readonly string[]>> = {
      paidAt: ['PAID'],
      expiredAt: ['EXPIRED'],
      failedAt: ['FAILED'],
      rejectedAt: ['REJECTED'],
      reviewRequiredAt: ['REVIEW_REQUIRED'],
      failureReason: ['FAILED', 'UNPARSED'],
    };
    const contradictions = (value: unknown, at: string): string[] => {
      if (typeof value !== 'object' || value === null) return [];
      const { status } = value as { readonly status?: unknown };
      return Object.entries(value).flatMap(([key, inner]) => [
        ...(typeof status === 'string' && inner !== null && statusesOf[key]?.includes(status) === false
          ? [`${at}: ${key} beside ${status}`]
          : []),
        ...contradictions(inner, `${at} ${key}`),
      ]);
    };
    const examples = bodies().map(([address, { example }]) => [address, example] as const);
    const { example: frames } = streamOf('/v1/checkout/{id}/events');
    const data = [...String(frames).matchAll(/^data: (.*)$/gm)].map(([, json = '']) => JSON.parse(json) as unknown);

    expect(
      [...examples, ['stream', data] as const].flatMap(([address, value]) => contradictions(value, address)),
    ).toEqual([]);
    expect(data[0]).toMatchObject({ status: 'PAID', paidAt: expect.any(String) as string, trxId: 'DKL4A1B2C3' });
  });

  it('describes the failure reason in the event feed as in the intent', () => {
    const reasonsOf = (schema: unknown, name: string) =>
      fields(schema, '').flatMap(([field, { description, examples }]) =>
        field === name && String(description).startsWith('Reason for the status FAILED') ? [examples] : [],
      );
    const feed = document.paths['/v1/events']?.['get']?.responses['200'] as OpenApiResponse;
    const reasons = ['receiver_switched_off', 'merchant_switched_off', 'method_disabled'];

    expect(reasonsOf(document.components.schemas['PaymentIntent'], 'failureReason')).toEqual([reasons]);
    expect(reasonsOf(feed.content?.['application/json']?.schema, 'reason')).toEqual([reasons]);
  });

  it('has only errors of the status in the examples of an error response', () => {
    const wrong = operations.flatMap(({ address, operation }) =>
      Object.entries(operation.responses)
        .filter(([status]) => Number(status) >= 400)
        .flatMap(([status, response]) =>
          Object.values(responseOf(response).content?.['application/json']?.examples ?? {}).flatMap(({ value }) => {
            const body = value as { readonly code?: ErrorCode; readonly statusCode?: number };
            const is = body.code === undefined ? body.statusCode : ERRORS[body.code].status;
            return is === Number(status) ? [] : [`${address} ${status}: ${JSON.stringify(body)}`];
          }),
        ),
    );

    expect(wrong).toEqual([]);
  });

  it('gives every time the format date-time', () => {
    const isTime = /(?:[a-z](?:At|Time)|_at|[sS]ince|^timestamp)$/;
    const times = bodies()
      .flatMap(([address, { schema }]) => fields(schema, address))
      .filter(([name, schema]) => isTime.test(name) && [schema['type']].flat().includes('string'));

    expect(times.length).toBeGreaterThan(100);
    expect(times.filter(([, schema]) => schema['format'] !== 'date-time')).toEqual([]);
  });

  it('limits the length of every text of a request', () => {
    const requests = operations.flatMap(({ address, operation }) => [
      ...(operation.parameters ?? []).map(({ name, schema }) => [`${address} ${name}`, schema] as const),
      ...Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => [`${address} body`, schema] as const),
    ]);
    const texts = requests
      .flatMap(([address, schema]) => fields(schema, address))
      .filter(([, { type }]) => [type].flat().includes('string'));
    // A pattern is not a limit that readers see.
    const bounds = ['maxLength', 'enum', 'const', 'format'];

    expect(texts.length).toBeGreaterThan(50);
    expect(texts.filter(([, schema]) => bounds.every((bound) => schema[bound] === undefined))).toEqual([]);
  });

  it('states the lengths of amounts and TrxIDs in addition to their patterns', () => {
    const texts = bodies()
      .flatMap(([address, { schema }]) => fields(schema, address))
      .filter(([name]) => /^(?:amount|fee|balance|trxId|expectedTrxId)$/.test(name))
      .flatMap(([name, { type, pattern, minLength, maxLength }]) =>
        [type].flat().includes('string') && pattern !== undefined
          ? [`${name} ${String(minLength)}..${String(maxLength)}`]
          : [],
      );

    expect([...new Set(texts)].sort()).toEqual([
      ...['amount 1..18', 'balance 1..18', 'expectedTrxId 6..20', 'fee 1..18', 'trxId 6..20', 'trxId 8..10'],
    ]);
  });

  it('lists the data of the events of a stream', () => {
    expect(streamOf('/v1/checkout/{id}/events')['x-events']).toMatchObject({
      checkout: { $ref: '#/components/schemas/CheckoutChange' },
    });
    expect(document.components.schemas['CheckoutChange']).not.toHaveProperty(['properties', 'branding']);
  });
});
