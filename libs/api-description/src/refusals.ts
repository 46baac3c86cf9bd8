import { ERRORS, type ErrorCode, type Operation } from '@pay/contracts';
import type { JsonSchema, OpenApiResponse, Ref } from './document';
import { everyHeader, tooManyHeaders } from './headers';

/** The two shapes of an error (one for bad input, one for everything else). */
export const ERROR_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Error: {
    type: 'object',
    description: 'Every error except validation errors. `code` is stable; `message` may change.',
    properties: { code: { type: 'string' }, message: { type: 'string' } },
    required: ['code', 'message'],
    examples: [{ code: 'NOT_FOUND', message: ERRORS.NOT_FOUND.message }],
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

/** Refusals of more than one operation, by the name of their component. Those of one status are kept together. */
const SHARED: Readonly<Record<string, readonly ErrorCode[]>> = {
  Unauthorized: ['UNAUTHORIZED'],
  Forbidden: ['FORBIDDEN'],
  NotFound: ['NOT_FOUND'],
  PayloadTooLarge: ['PAYLOAD_TOO_LARGE'],
  UnsupportedMediaType: ['UNSUPPORTED_MEDIA_TYPE'],
  TooManyRequests: ['RATE_LIMITED'],
  InternalError: ['INTERNAL_ERROR'],
  ServiceUnavailable: ['SERVICE_UNAVAILABLE'],
};

export const SHARED_RESPONSES: Readonly<Record<string, OpenApiResponse>> = {
  BadRequest: refusal(400, []),
  ...Object.fromEntries(
    Object.entries(SHARED).map(([name, codes]) => [name, refusal(ERRORS[codes[0] ?? 'INTERNAL_ERROR'].status, codes)]),
  ),
};

/** Every error answer of an operation by status: those that follow from what it is, and those that it names. */
export function refusalsOf(operation: Operation): Record<string, OpenApiResponse | Ref> {
  const codes = [...new Set([...derived(operation), ...(operation.errors ?? [])])];
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) byStatus.set(ERRORS[code].status, [...(byStatus.get(ERRORS[code].status) ?? []), code]);
  // Any address can hold what cannot be read: %00, or half of an escape.
  if (!byStatus.has(400)) byStatus.set(400, []);
  return Object.fromEntries([...byStatus].map(([status, its]) => [String(status), sharedOrOwn(status, its)]));
}

function derived({ credential, params, body }: Operation): ErrorCode[] {
  const codes: ErrorCode[] = ['RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];
  if (credential.kind !== 'none') codes.push('UNAUTHORIZED');
  if (credential.kind === 'apiKey' || credential.kind === 'session') codes.push('FORBIDDEN');
  if (params !== undefined) codes.push('NOT_FOUND');
  if (body !== undefined) codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  return codes;
}

function sharedOrOwn(status: number, codes: readonly ErrorCode[]): OpenApiResponse | Ref {
  if (status === 400 && codes.length === 0) return { $ref: '#/components/responses/BadRequest' };
  const name = Object.keys(SHARED).find((known) => SHARED[known]?.join() === codes.join());
  return name === undefined ? refusal(status, codes) : { $ref: `#/components/responses/${name}` };
}

function refusal(status: number, codes: readonly ErrorCode[]): OpenApiResponse {
  const invalid: JsonSchema = { $ref: '#/components/schemas/ValidationError' };
  const refused: JsonSchema = {
    $ref: '#/components/schemas/Error',
    properties: { code: { enum: codes } },
  };
  const input = status === 400 ? ['The request is invalid.'] : [];
  const schema = status !== 400 ? refused : codes.length === 0 ? invalid : { anyOf: [invalid, refused] };
  return {
    description: [...input, ...codes.map((code) => `\`${code}\`: ${ERRORS[code].message}`)].join('\n\n'),
    headers: status === 429 ? { ...everyHeader, ...tooManyHeaders } : everyHeader,
    content: { 'application/json': { schema } },
  };
}
