import {
  apiKeyListQuerySchema,
  apiKeyResponseSchema,
  changeApiKeyRequestSchema,
  createApiKeyRequestSchema,
  createdApiKeyResponseSchema,
  rotateApiKeyRequestSchema,
  rotatedApiKeyResponseSchema,
} from '../../http/dashboard';
import { pageOf } from '../../http/pagination';
import { operation } from '../operation';
import { KEY_HOLDERS, page, params, service } from './common';

/** Whoever writes the shop's code needs keys to try it with; keys that move money stay with those who answer for the shop. */
const OF_DEVELOPERS = 'A DEVELOPER works with keys of SANDBOX alone: 403 for one of LIVE.';

const keys = 'API keys';

export const createApiKey = operation({
  id: 'createApiKey',
  service,
  method: 'post',
  path: '/v1/dashboard/api-keys',
  tag: keys,
  summary: 'Issue an API key',
  description: `The key is answered this once. ${OF_DEVELOPERS}`,
  credential: KEY_HOLDERS,
  body: createApiKeyRequestSchema,
  answers: { 201: { description: 'The key.', body: createdApiKeyResponseSchema } },
  errors: ['API_KEY_LIMIT_REACHED', 'TIME_OUT_OF_RANGE'],
});

export const listApiKeys = operation({
  id: 'listApiKeys',
  service,
  method: 'get',
  path: '/v1/dashboard/api-keys',
  tag: keys,
  summary: 'List API keys, those that have ended too',
  credential: KEY_HOLDERS,
  query: apiKeyListQuerySchema,
  answers: { 200: { description: page, body: pageOf(apiKeyResponseSchema) } },
});

export const getApiKey = operation({
  id: 'getApiKey',
  service,
  method: 'get',
  path: '/v1/dashboard/api-keys/:id',
  tag: keys,
  summary: 'Retrieve what is known of an API key',
  credential: KEY_HOLDERS,
  params,
  answers: { 200: { description: 'The key without itself.', body: apiKeyResponseSchema } },
});

export const changeApiKey = operation({
  id: 'changeApiKey',
  service,
  method: 'patch',
  path: '/v1/dashboard/api-keys/:id',
  tag: keys,
  summary: 'Rename an API key',
  description: OF_DEVELOPERS,
  credential: KEY_HOLDERS,
  params,
  body: changeApiKeyRequestSchema,
  answers: { 200: { description: 'The key as it is now.', body: apiKeyResponseSchema } },
  errors: ['API_KEY_NOT_ACTIVE'],
});

export const lockApiKey = operation({
  id: 'lockApiKey',
  service,
  method: 'post',
  path: '/v1/dashboard/api-keys/:id/lock',
  tag: keys,
  summary: 'Stop an API key until it is unlocked',
  description: OF_DEVELOPERS,
  credential: KEY_HOLDERS,
  params,
  answers: { 200: { description: 'The key as it is now.', body: apiKeyResponseSchema } },
  errors: ['API_KEY_NOT_ACTIVE'],
});

export const unlockApiKey = operation({
  id: 'unlockApiKey',
  service,
  method: 'post',
  path: '/v1/dashboard/api-keys/:id/unlock',
  tag: keys,
  summary: 'Let a locked API key work again',
  description: OF_DEVELOPERS,
  credential: KEY_HOLDERS,
  params,
  answers: { 200: { description: 'The key as it is now.', body: apiKeyResponseSchema } },
  errors: ['API_KEY_NOT_ACTIVE'],
});

export const revokeApiKey = operation({
  id: 'revokeApiKey',
  service,
  method: 'post',
  path: '/v1/dashboard/api-keys/:id/revoke',
  tag: keys,
  summary: 'End an API key for good',
  description: OF_DEVELOPERS,
  credential: KEY_HOLDERS,
  params,
  answers: { 200: { description: 'The key, revoked.', body: apiKeyResponseSchema } },
});

export const rotateApiKey = operation({
  id: 'rotateApiKey',
  service,
  method: 'post',
  path: '/v1/dashboard/api-keys/:id/rotate',
  tag: keys,
  summary: 'Replace an API key',
  description:
    'A new key with the same name and scopes is answered this once. The old one works on for `overlapSeconds`, a day when absent, and ' +
    `then expires; 0 revokes it at once. ${OF_DEVELOPERS}`,
  credential: KEY_HOLDERS,
  params,
  body: rotateApiKeyRequestSchema,
  answers: { 201: { description: 'The new key, and the old one as it is now.', body: rotatedApiKeyResponseSchema } },
  errors: ['API_KEY_NOT_ACTIVE', 'API_KEY_LIMIT_REACHED', 'TIME_OUT_OF_RANGE'],
});
