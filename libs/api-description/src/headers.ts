import type { OpenApiHeader, Ref } from './document';

/** Headers of more than one response. */
export const SHARED_HEADERS: Readonly<Record<string, OpenApiHeader>> = {
  'X-Request-Id': {
    description:
      'Id of this request in the logs. A value sent by the client is kept if it is 1 to 128 letters, digits or `._:/+=-`.',
    required: true,
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'WWW-Authenticate': {
    description: 'Challenge of the expected credential. For keys it contains the name of the header.',
    required: true,
    schema: { type: 'string' },
  },
  'RateLimit-Limit': { description: 'Requests allowed in the window.', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Requests left in the window.', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until the window resets.', schema: { type: 'integer' } },
};

const shared = (...names: string[]): Readonly<Record<string, Ref>> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const everyHeader = shared('X-Request-Id');
export const unauthorizedHeaders = shared('WWW-Authenticate');
export const rateLimitHeaders = shared('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset');
export const tooManyHeaders = { ...shared('Retry-After'), ...rateLimitHeaders };
