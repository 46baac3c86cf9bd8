import { z } from 'zod';
import { environmentSchema } from '../../environment';
import { DEFAULT_API_KEY_SCOPES, apiKeyScopeSchema } from '../../events/directory-events';
import { pageQuerySchema } from '../pagination';
import { requestBody } from '../request-body';
import { instant, name, versioned } from './fields';
import { environmentFilter, requiredEnvironment, timestamp, wholeNumber } from '../request-fields';

export const MAX_API_KEY_OVERLAP_SECONDS = 7 * 24 * 60 * 60;
export const DEFAULT_API_KEY_OVERLAP_SECONDS = 24 * 60 * 60;

export const createApiKeyRequestSchema = requestBody({
  environment: requiredEnvironment,
  name: name('name'),
  scopes: z
    .array(
      z.enum(apiKeyScopeSchema.options, { error: `scopes must contain only ${apiKeyScopeSchema.options.join(', ')}` }),
      { error: 'scopes must be an array' },
    )
    .min(1, 'scopes must not be empty')
    .transform((scopes) => apiKeyScopeSchema.options.filter((known) => scopes.includes(known)))
    .nullish()
    .transform((scopes) => scopes ?? [...DEFAULT_API_KEY_SCOPES])
    .meta({ description: 'Default: all except sandbox:simulate.' }),
  expiresAt: instant('expiresAt').nullish(),
});

export const changeApiKeyRequestSchema = requestBody({ name: name('name') });

export const rotateApiKeyRequestSchema = requestBody({
  overlapSeconds: wholeNumber(
    'overlapSeconds',
    0,
    MAX_API_KEY_OVERLAP_SECONDS,
    'overlapSeconds must be a whole number of seconds',
  )
    .nullish()
    .transform((seconds) => seconds ?? DEFAULT_API_KEY_OVERLAP_SECONDS),
  /** Of the new key. */
  expiresAt: instant('expiresAt').nullish(),
});

export const apiKeyStateSchema = z.enum(['ACTIVE', 'LOCKED', 'EXPIRED', 'REVOKED']);

export const apiKeyResponseSchema = z.object({
  id: z.uuid(),
  environment: environmentSchema,
  name: z.string(),
  /** With `lastFour` the only visible part of a key. */
  prefix: z.string(),
  lastFour: z.string().nullable(),
  scopes: z.array(apiKeyScopeSchema),
  state: apiKeyStateSchema,
  expiresAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
  /** Up to about a minute late. */
  lastUsedAt: timestamp.nullable(),
  ...versioned,
});
export type ApiKeyResponse = z.infer<typeof apiKeyResponseSchema>;

/** `apiKey` is the key itself, returned only here. */
export const createdApiKeyResponseSchema = apiKeyResponseSchema.extend({ apiKey: z.string() });
export const rotatedApiKeyResponseSchema = createdApiKeyResponseSchema.extend({ replaced: apiKeyResponseSchema });

export const apiKeyListQuerySchema = pageQuerySchema.extend({ environment: environmentFilter });
