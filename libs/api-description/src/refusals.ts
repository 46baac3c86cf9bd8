import { CREDENTIALS, ERRORS, type CredentialKind, type ErrorCode, type Operation } from '@pay/contracts';
import type { JsonSchema, OpenApiResponse, Ref } from './document';
import { everyHeader, tooManyHeaders, unauthorizedHeaders } from './headers';

/** The two formats of an error: one for invalid input, one for everything else. */
export const ERROR_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Error: {
    type: 'object',
    description: 'Every error except validation errors. `code` is stable; `message` may change.',
    properties: {
      code: { type: 'string' },
      message: { type: 'string' },
      lastCursor: {
        type: 'string',
        description: 'Of `CURSOR_AHEAD`: the cursor of the last event, 0 if there is none.',
      },
    },
    required: ['code', 'message'],
  },
  ValidationError: {
    type: 'object',
    description: 'Validation error: one sentence per problem, each naming its field.',
    properties: {
      statusCode: { type: 'integer', const: 400 },
      message: { type: 'array', items: { type: 'string' }, minItems: 1 },
      error: { type: 'string', const: 'Bad Request' },
    },
    required: ['statusCode', 'message', 'error'],
    examples: [{ statusCode: 400, message: ['amount is required and must be a number'], error: 'Bad Request' }],
  },
};

const INVALID_EXAMPLE = { statusCode: 400, message: ['amount is required and must be a number'], error: 'Bad Request' };

/** Error responses of more than one operation, by component name. Those of one status are grouped. */
const SHARED: Readonly<Record<string, readonly ErrorCode[]>> = {
  Forbidden: ['FORBIDDEN'],
  NotFound: ['NOT_FOUND'],
  PayloadTooLarge: ['PAYLOAD_TOO_LARGE'],
  UnsupportedMediaType: ['UNSUPPORTED_MEDIA_TYPE'],
  TooManyRequests: ['RATE_LIMITED'],
  InternalError: ['INTERNAL_ERROR'],
  ServiceUnavailable: ['SERVICE_UNAVAILABLE'],
};
/** 401 by the required credential: its message names the header. */
const UNAUTHORIZED: Readonly<Record<CredentialKind, string>> = {
  apiKey: 'UnauthorizedApiKey',
  deviceKey: 'UnauthorizedDeviceKey',
  session: 'UnauthorizedSession',
};
const KINDS = Object.keys(UNAUTHORIZED) as CredentialKind[];

/** Messages of an operation that differ from the table of errors. */
type Messages = Partial<Record<ErrorCode, string>>;

export const SHARED_RESPONSES: Readonly<Record<string, OpenApiResponse>> = {
  BadRequest: refusal(400, []),
  ...Object.fromEntries(
    KINDS.map((kind) => [
      UNAUTHORIZED[kind],
      refusal(401, ['UNAUTHORIZED'], { UNAUTHORIZED: CREDENTIALS[kind].refusal }),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(SHARED).map(([name, codes]) => [name, refusal(ERRORS[codes[0] ?? 'INTERNAL_ERROR'].status, codes)]),
  ),
};

/** All error responses of an operation by status: those implied by its properties, and those that it lists. */
export function refusalsOf(operation: Operation): Record<string, OpenApiResponse | Ref> {
  const codes = [...new Set([...derived(operation), ...(operation.errors ?? [])])];
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) byStatus.set(ERRORS[code].status, [...(byStatus.get(ERRORS[code].status) ?? []), code]);
  // Any path can contain invalid escapes: %00, or an incomplete escape.
  if (!byStatus.has(400)) byStatus.set(400, []);
  return Object.fromEntries(
    [...byStatus].map(([status, its]) => [String(status), sharedOrOwn(operation, status, its)]),
  );
}

function derived({ credential, params, body }: Operation): ErrorCode[] {
  const codes: ErrorCode[] = ['RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];
  if (credential.kind !== 'none') codes.push('UNAUTHORIZED');
  if (credential.kind === 'apiKey' || credential.kind === 'session') codes.push('FORBIDDEN');
  if (params !== undefined) codes.push('NOT_FOUND');
  if (body !== undefined) codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  return codes;
}

function sharedOrOwn(
  { credential, notFound, messages: own }: Operation,
  status: number,
  codes: readonly ErrorCode[],
): OpenApiResponse | Ref {
  if (status === 400 && codes.length === 0) return { $ref: '#/components/responses/BadRequest' };
  const kind = credential.kind === 'none' ? undefined : credential.kind;
  if (kind !== undefined && codes.join() === 'UNAUTHORIZED') {
    return { $ref: `#/components/responses/${UNAUTHORIZED[kind]}` };
  }
  const messages: Messages = {
    ...(notFound !== undefined && { NOT_FOUND: notFound }),
    ...(kind !== undefined && { UNAUTHORIZED: CREDENTIALS[kind].refusal }),
    ...own,
  };
  const name = Object.keys(SHARED).find((known) => SHARED[known]?.join() === codes.join());
  return name === undefined || codes.some((code) => messages[code] !== undefined)
    ? refusal(status, codes, messages)
    : { $ref: `#/components/responses/${name}` };
}

function refusal(status: number, codes: readonly ErrorCode[], messages: Messages = {}): OpenApiResponse {
  const invalid: JsonSchema = { $ref: '#/components/schemas/ValidationError' };
  const refused: JsonSchema = {
    $ref: '#/components/schemas/Error',
    properties: { code: { enum: codes } },
  };
  const input = status === 400 ? ['The request is invalid.'] : [];
  const schema = status !== 400 ? refused : codes.length === 0 ? invalid : { anyOf: [invalid, refused] };
  const messageOf = (code: ErrorCode) => messages[code] ?? ERRORS[code].message;
  const exampleOf = (code: ErrorCode) => ({
    code,
    message: messageOf(code),
    ...(code === 'CURSOR_AHEAD' && { lastCursor: '41' }),
  });
  return {
    description: [...input, ...codes.map((code) => `\`${code}\`: ${messageOf(code)}`)].join('\n\n'),
    headers: { ...everyHeader, ...(status === 429 && tooManyHeaders), ...(status === 401 && unauthorizedHeaders) },
    content: {
      'application/json': {
        schema,
        examples: {
          ...(status === 400 && { ValidationError: { value: INVALID_EXAMPLE } }),
          ...Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
        },
      },
    },
  };
}
