import {
  rolesIn,
  USUAL_BODY_LIMIT,
  type Operation,
  type OperationAnswer,
  type OperationCredential,
} from '@pay/contracts';
import type { z } from 'zod';
import type { JsonSchema, MediaType, OpenApiOperation, OpenApiParameter, OpenApiResponse } from './document';
import { Examples } from './examples';
import { everyHeader, rateLimitHeaders } from './headers';
import { refusalsOf } from './refusals';
import type { SchemaBook } from './schema-book';

export function describeOperation(book: SchemaBook, operation: Operation): OpenApiOperation {
  const { id, tag, summary, description, credential, body, params, query } = operation;
  const parameters = [...parametersOf(book, 'path', params), ...parametersOf(book, 'query', query)];
  const responses = {
    ...Object.fromEntries(
      Object.entries(operation.answers).map(([status, answer]) => [
        status,
        answerOf(book, answer, isLimited(operation) && status.startsWith('2') ? rateLimitHeaders : {}),
      ]),
    ),
    ...refusalsOf(operation),
  };
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [...(description === undefined ? [] : [description]), needOf(credential)].join('\n\n'),
    security: securityOf(credential),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        description: `JSON, at most ${(operation.bodyLimit ?? USUAL_BODY_LIMIT).replace('kb', ' KiB').replace('mb', ' MiB')}.`,
        // A missing body is parsed as an object without fields.
        required: !(operation.describedBody ?? body).safeParse({}).success,
        content: { 'application/json': withExample(book, book.request(operation.describedBody ?? body)) },
      },
    }),
    responses,
  };
}

/** Whether every successful response describes a rate limit: all routes with these credentials and of the checkout. */
function isLimited({ credential, service }: Operation): boolean {
  return credential.kind === 'apiKey' || credential.kind === 'session' || service === 'checkout-api';
}

/** `/v1/payments/intents/:id` in OpenAPI notation. */
export function pathOf({ path }: Operation): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

/** Describes `security` in words, because pages show it only as a lock symbol. */
function needOf(credential: OperationCredential): string {
  switch (credential.kind) {
    case 'none':
      return 'Requires no credential.';
    case 'apiKey':
      return `Requires an API key with the scope \`${credential.scope}\`.`;
    case 'deviceKey':
      return 'Requires a device key.';
    case 'session':
      return `Requires a session with role ${credential.roles.join(' or ')}.${needInLive(credential)}`;
  }
}

function needInLive(credential: OperationCredential): string {
  const inLive = rolesIn(credential, 'LIVE');
  if (inLive.length === rolesIn(credential, 'SANDBOX').length) return '';
  return inLive.length === 0
    ? ' SANDBOX only; LIVE returns 403.'
    : ` In LIVE: ${inLive.join(' or ')}; other roles receive 403.`;
}

function securityOf(credential: OperationCredential): NonNullable<OpenApiOperation['security']> {
  switch (credential.kind) {
    case 'none':
      return [];
    case 'apiKey':
      return [{ ApiKey: [credential.scope] }];
    case 'deviceKey':
      return [{ DeviceKey: [] }];
    case 'session':
      return [{ Session: credential.roles }];
  }
}

function parametersOf(book: SchemaBook, place: 'path' | 'query', schema: z.ZodObject | undefined): OpenApiParameter[] {
  if (schema === undefined) return [];
  const whole = book.request(schema);
  const required = (whole['required'] ?? []) as readonly string[];
  const properties = (whole['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(typeof description === 'string' && { description }),
    schema: rest,
  }));
}

/** A body, with an example of it. */
export function withExample(book: SchemaBook, schema: JsonSchema): MediaType {
  return { schema, example: new Examples((id) => book.find(id)).of(schema) };
}

function textOf(example: string | undefined): MediaType {
  return example === undefined ? {} : { schema: { type: 'string' }, example };
}

function eventsOf(book: SchemaBook, events: NonNullable<OperationAnswer['events']>): MediaType {
  const data = Object.entries(events).map(([name, schema]) => [name, book.answer(schema)] as const);
  const examples = new Examples((id) => book.find(id));
  const frames = data.map(([name, schema]) => `event: ${name}\ndata: ${JSON.stringify(examples.of(schema))}\n\n`);
  return { schema: { type: 'string' }, example: frames.join(''), 'x-events': Object.fromEntries(data) };
}

function answerOf(
  book: SchemaBook,
  { description, body, headers = {}, contentType, events, alsoAs, textExample }: OperationAnswer,
  limitHeaders: OpenApiResponse['headers'],
): OpenApiResponse {
  const own = Object.fromEntries(
    Object.entries(headers).map(([name, text]) => [name, { description: text, schema: { type: 'string' } }]),
  );
  return {
    description,
    headers: { ...everyHeader, ...limitHeaders, ...own },
    ...(contentType !== undefined && {
      content: { [contentType]: events === undefined ? textOf(textExample) : eventsOf(book, events) },
    }),
    ...(body !== undefined && {
      content: {
        [contentType ?? 'application/json']: withExample(book, book.answer(body)),
        ...(alsoAs !== undefined && { [alsoAs]: textOf(textExample) }),
      },
    }),
  };
}
