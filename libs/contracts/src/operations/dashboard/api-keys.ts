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
import { KEY_HOLDERS, keyHoldersOf, page, params, service } from './common';

const HOLDERS = keyHoldersOf('api_key');
const keys = 'API keys';

export const createApiKey = operation({
  id: 'createApiKey',
  service,
  method: 'post',
  path: '/v1/dashboard/api-keys',
  tag: keys,
  summary: 'Issue an API key',
  description: 'The key is returned only in this response.',
  credential: keyHoldersOf('body'),
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
  summary: 'List API keys, including revoked and expired ones',
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
  summary: 'Retrieve an API key',
  credential: KEY_HOLDERS,
  params,
  answers: { 200: { description: 'The API key without its secret value.', body: apiKeyResponseSchema } },
});

export const changeApiKey = operation({
  id: 'changeApiKey',
  service,
  method: 'patch',
  path: '/v1/dashboard/api-keys/:id',
  tag: keys,
  summary: 'Rename an API key',
  credential: HOLDERS,
  params,
  body: changeApiKeyRequestSchema,
  answers: { 200: { description: 'The updated API key.', body: apiKeyResponseSchema } },
  errors: ['API_KEY_NOT_ACTIVE'],
});

export const lockApiKey = operation({
  id: 'lockApiKey',
  service,
  method: 'post',
  path: '/v1/dashboard/api-keys/:id/lock',
  tag: keys,
  summary: 'Lock an API key',
  credential: HOLDERS,
  params,
  answers: { 200: { description: 'The updated API key.', body: apiKeyResponseSchema } },
  errors: ['API_KEY_NOT_ACTIVE'],
});

export const unlockApiKey = operation({
  id: 'unlockApiKey',
  service,
  method: 'post',
  path: '/v1/dashboard/api-keys/:id/unlock',
  tag: keys,
  summary: 'Unlock an API key',
  credential: HOLDERS,
  params,
  answers: { 200: { description: 'The updated API key.', body: apiKeyResponseSchema } },
  errors: ['API_KEY_NOT_ACTIVE'],
});

export const revokeApiKey = operation({
  id: 'revokeApiKey',
  service,
  method: 'post',
  path: '/v1/dashboard/api-keys/:id/revoke',
  tag: keys,
  summary: 'Revoke an API key permanently',
  credential: HOLDERS,
  params,
  answers: { 200: { description: 'The revoked key.', body: apiKeyResponseSchema } },
});

export const rotateApiKey = operation({
  id: 'rotateApiKey',
  service,
  method: 'post',
  path: '/v1/dashboard/api-keys/:id/rotate',
  tag: keys,
  summary: 'Rotate an API key',
  description:
    'Creates a new key with the same name and scopes, which is returned only in this response. The old key stays valid for ' +
    '`overlapSeconds` (default: one day); 0 revokes it immediately.',
  credential: HOLDERS,
  params,
  body: rotateApiKeyRequestSchema,
  answers: { 201: { description: 'The new key and the updated old key.', body: rotatedApiKeyResponseSchema } },
  errors: ['API_KEY_NOT_ACTIVE', 'API_KEY_LIMIT_REACHED', 'TIME_OUT_OF_RANGE'],
});
