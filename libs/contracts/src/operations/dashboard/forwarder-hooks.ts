import { z } from 'zod';
import {
  createdForwarderHookSchema,
  createForwarderHookRequestSchema,
  forwarderHookListSchema,
} from '../../http/forwarder-hooks';
import { operation } from '../operation';
import { ANYBODY, keyHoldersOf, params, service } from './common';

const tag = 'Devices';

export const createForwarderHook = operation({
  id: 'createForwarderHook',
  service,
  method: 'post',
  path: '/v1/dashboard/devices/:id/hooks',
  tag,
  summary: 'Create a forwarder hook for a device',
  description:
    'The address and the secret are returned only in this response. If the app signs texts and `signingSecret` is omitted, a ' +
    'secret is generated. To change the address or the secret without losing messages, create a new hook, change the app, and ' +
    'delete the old hook. Warning: an app whose `signsText` is false (SmsForwarder, httpSMS, Incoming SMS to URL, PipraPay) does ' +
    'not sign the text, so anyone who knows the address can forge a payment. A LIVE device rejects such hooks until an OWNER ' +
    'allows unsigned texts for it (`POST /v1/dashboard/devices/:id/allow-unsigned-texts`).',
  credential: keyHoldersOf('device'),
  params,
  body: createForwarderHookRequestSchema,
  answers: { 201: { description: 'The hook with its address and secret.', body: createdForwarderHookSchema } },
  errors: ['TOO_MANY_HOOKS', 'UNSIGNED_TEXTS_NOT_ALLOWED'],
});

export const listForwarderHooks = operation({
  id: 'listForwarderHooks',
  service,
  method: 'get',
  path: '/v1/dashboard/devices/:id/hooks',
  tag,
  summary: 'List the hooks of a device',
  credential: ANYBODY,
  params,
  answers: { 200: { description: 'All hooks, oldest first.', body: forwarderHookListSchema } },
});

export const deleteForwarderHook = operation({
  id: 'deleteForwarderHook',
  service,
  method: 'delete',
  path: '/v1/dashboard/devices/:id/hooks/:forwarderHookId',
  tag,
  summary: 'Delete a hook of a device',
  description: 'The address stops working after about one second. Deleting a hook again returns the same response.',
  credential: keyHoldersOf('device'),
  params: params.extend({ forwarderHookId: z.uuid().toLowerCase() }),
  answers: { 204: { description: 'The hook is deleted.' } },
});
