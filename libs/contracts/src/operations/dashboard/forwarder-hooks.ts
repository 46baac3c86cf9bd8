import { z } from 'zod';
import {
  createdForwarderHookSchema,
  createForwarderHookRequestSchema,
  forwarderHookListSchema,
} from '../../http/forwarder-hooks';
import { operation } from '../operation';
import { ANYBODY, KEY_HOLDERS, params, service } from './common';

const tag = 'Devices';

export const createForwarderHook = operation({
  id: 'createForwarderHook',
  service,
  method: 'post',
  path: '/v1/dashboard/devices/:id/hooks',
  tag,
  summary: 'Let a forwarder app of others send the SMS of a phone',
  description:
    'The address and the secret are answered this once. Where the app signs and no `signingSecret` is given, one is made. To change an ' +
    'address or a secret without losing a message, create a new hook, change the app, and delete the old one. ' +
    'Warning: an app whose `signsText` is false (SmsForwarder, httpSMS, Incoming SMS to URL, PipraPay) does not sign the text, so whoever ' +
    'learns the address can forge a payment. For a LIVE device the hook is refused until an OWNER has allowed unsigned texts for the ' +
    'device (`POST /v1/dashboard/devices/:id/allow-unsigned-texts`).',
  credential: KEY_HOLDERS,
  params,
  body: createForwarderHookRequestSchema,
  answers: { 201: { description: 'The hook, its address and its secret.', body: createdForwarderHookSchema } },
  errors: ['TOO_MANY_HOOKS', 'UNSIGNED_TEXTS_NOT_ALLOWED'],
});

export const listForwarderHooks = operation({
  id: 'listForwarderHooks',
  service,
  method: 'get',
  path: '/v1/dashboard/devices/:id/hooks',
  tag,
  summary: 'List the hooks of a phone',
  credential: ANYBODY,
  params,
  answers: { 200: { description: 'All of them, oldest first.', body: forwarderHookListSchema } },
});

export const deleteForwarderHook = operation({
  id: 'deleteForwarderHook',
  service,
  method: 'delete',
  path: '/v1/dashboard/devices/:id/hooks/:forwarderHookId',
  tag,
  summary: 'Delete a hook of a phone',
  description: 'Its address stops working in about a second. One that is gone already is answered alike.',
  credential: KEY_HOLDERS,
  params: params.extend({ forwarderHookId: z.uuid() }),
  answers: { 204: { description: 'The phone has no such hook.' } },
});
