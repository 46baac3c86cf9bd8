import { z } from 'zod';
import {
  createdForwarderHookSchema,
  createForwarderHookRequestSchema,
  forwarderHookListSchema,
} from '../../http/forwarder-hooks';
import { ANYBODY, keyHoldersOf, section } from './common';

const api = section('Devices');

export const createForwarderHook = api.post('createForwarderHook', '/v1/dashboard/devices/:id/hooks', {
  summary: 'Create a forwarder hook for a device',
  description:
    'The address and the secret are returned only in this response. If the app signs texts and `signingSecret` is omitted, a ' +
    'secret is generated. To change the address or the secret without losing messages, create a new hook, change the app, and ' +
    'delete the old hook. Warning: an app whose `signsText` is false (SmsForwarder, httpSMS, Incoming SMS to URL, PipraPay) does ' +
    'not sign the text, so anyone who knows the address can forge a payment. A LIVE device rejects such hooks until an OWNER ' +
    'allows unsigned texts for it (`POST /v1/dashboard/devices/:id/allow-unsigned-texts`).',
  credential: keyHoldersOf('device'),
  body: createForwarderHookRequestSchema,
  answers: { 201: { description: 'The hook with its address and secret.', body: createdForwarderHookSchema } },
  errors: ['TOO_MANY_HOOKS', 'UNSIGNED_TEXTS_NOT_ALLOWED'],
});

export const listForwarderHooks = api.get('listForwarderHooks', '/v1/dashboard/devices/:id/hooks', {
  summary: 'List the hooks of a device',
  credential: ANYBODY,
  answers: { 200: { description: 'All hooks, oldest first.', body: forwarderHookListSchema } },
});

export const deleteForwarderHook = api.delete(
  'deleteForwarderHook',
  '/v1/dashboard/devices/:id/hooks/:forwarderHookId',
  {
    summary: 'Delete a hook of a device',
    description: 'The address stops working after about one second. Deleting a hook again returns the same response.',
    credential: keyHoldersOf('device'),
    params: z.object({ id: z.uuid().toLowerCase(), forwarderHookId: z.uuid().toLowerCase() }),
    answers: { 204: { description: 'The hook is deleted.' } },
  },
);
