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
import { KEY_HOLDERS, keyHoldersOf, page, section } from './common';

const HOLDERS = keyHoldersOf('api_key');
const api = section('API keys');

export const createApiKey = api.post('createApiKey', '/v1/dashboard/api-keys', {
  summary: 'Issue an API key',
  description: 'The key is returned only in this response.',
  credential: keyHoldersOf('body'),
  body: createApiKeyRequestSchema,
  answers: { 201: { description: 'The key.', body: createdApiKeyResponseSchema } },
  errors: ['API_KEY_LIMIT_REACHED', 'TIME_OUT_OF_RANGE'],
});

export const listApiKeys = api.get('listApiKeys', '/v1/dashboard/api-keys', {
  summary: 'List API keys, including revoked and expired ones',
  credential: KEY_HOLDERS,
  query: apiKeyListQuerySchema,
  answers: { 200: { description: page, body: pageOf(apiKeyResponseSchema) } },
});

export const getApiKey = api.get('getApiKey', '/v1/dashboard/api-keys/:id', {
  summary: 'Retrieve an API key',
  credential: KEY_HOLDERS,
  answers: { 200: { description: 'The API key without its secret value.', body: apiKeyResponseSchema } },
});

export const changeApiKey = api.patch('changeApiKey', '/v1/dashboard/api-keys/:id', {
  summary: 'Rename an API key',
  credential: HOLDERS,
  body: changeApiKeyRequestSchema,
  answers: { 200: { description: 'The updated API key.', body: apiKeyResponseSchema } },
  errors: ['API_KEY_NOT_ACTIVE'],
});

export const lockApiKey = api.post('lockApiKey', '/v1/dashboard/api-keys/:id/lock', {
  summary: 'Lock an API key',
  credential: HOLDERS,
  answers: { 200: { description: 'The updated API key.', body: apiKeyResponseSchema } },
  errors: ['API_KEY_NOT_ACTIVE'],
});

export const unlockApiKey = api.post('unlockApiKey', '/v1/dashboard/api-keys/:id/unlock', {
  summary: 'Unlock an API key',
  credential: HOLDERS,
  answers: { 200: { description: 'The updated API key.', body: apiKeyResponseSchema } },
  errors: ['API_KEY_NOT_ACTIVE'],
});

export const revokeApiKey = api.post('revokeApiKey', '/v1/dashboard/api-keys/:id/revoke', {
  summary: 'Revoke an API key permanently',
  credential: HOLDERS,
  answers: { 200: { description: 'The revoked key.', body: apiKeyResponseSchema } },
});

export const rotateApiKey = api.post('rotateApiKey', '/v1/dashboard/api-keys/:id/rotate', {
  summary: 'Rotate an API key',
  description:
    'Creates a new key with the same name and scopes, which is returned only in this response. The old key stays valid for ' +
    '`overlapSeconds` (default: one day); 0 revokes it immediately.',
  credential: HOLDERS,
  body: rotateApiKeyRequestSchema,
  answers: { 201: { description: 'The new key and the updated old key.', body: rotatedApiKeyResponseSchema } },
  errors: ['API_KEY_NOT_ACTIVE', 'API_KEY_LIMIT_REACHED', 'TIME_OUT_OF_RANGE'],
});
