import { z } from 'zod';
import {
  apiKeyListQuerySchema,
  apiKeyResponseSchema,
  auditEntryResponseSchema,
  auditLogQuerySchema,
  changeApiKeyRequestSchema,
  changeDeviceRequestSchema,
  changeMerchantRequestSchema,
  changeReceiverAccountRequestSchema,
  changeUserRequestSchema,
  createApiKeyRequestSchema,
  createdApiKeyResponseSchema,
  createDeviceRequestSchema,
  createdInvitationResponseSchema,
  createInvitationRequestSchema,
  createReceiverAccountRequestSchema,
  deviceListQuerySchema,
  deviceResponseSchema,
  invitationResponseSchema,
  merchantResponseSchema,
  pairingResponseSchema,
  receiverAccountListQuerySchema,
  receiverAccountResponseSchema,
  rotateApiKeyRequestSchema,
  rotatedApiKeyResponseSchema,
  userResponseSchema,
} from '../http/dashboard';
import { pageOf, pageQuerySchema } from '../http/pagination';
import { ROLES, type Role } from '../role';
import { operation } from './operation';

const service = 'dashboard-api';
const params = z.object({ id: z.uuid() });

const sessionOf = <const Roles extends readonly Role[]>(...roles: Roles) => ({ kind: 'session', roles }) as const;
const ANYBODY = sessionOf(...ROLES);
const MANAGERS = sessionOf('OWNER', 'ADMIN');
const KEY_HOLDERS = sessionOf('OWNER', 'ADMIN', 'DEVELOPER');

const page = 'One page, newest first.';
const OF_MANAGERS = 'An ADMIN can neither make anybody an OWNER nor change one: 403.';
/** Whoever writes the shop's code needs keys to try it with; keys that move money stay with those who answer for the shop. */
const OF_DEVELOPERS = 'A DEVELOPER works with keys of SANDBOX alone: 403 for one of LIVE.';

// The merchant

export const getMerchant = operation({
  id: 'getMerchant',
  service,
  method: 'get',
  path: '/v1/dashboard/merchant',
  tag: 'Merchant',
  summary: 'Retrieve the merchant of the session',
  credential: ANYBODY,
  answers: { 200: { description: 'The merchant.', body: merchantResponseSchema } },
});

export const changeMerchant = operation({
  id: 'changeMerchant',
  service,
  method: 'patch',
  path: '/v1/dashboard/merchant',
  tag: 'Merchant',
  summary: 'Change the name that customers see, or the enabled payment methods',
  credential: MANAGERS,
  body: changeMerchantRequestSchema,
  answers: { 200: { description: 'The merchant as it is now.', body: merchantResponseSchema } },
});

// People

const people = 'Users and invitations';

export const listUsers = operation({
  id: 'listUsers',
  service,
  method: 'get',
  path: '/v1/dashboard/users',
  tag: people,
  summary: 'List the people of the merchant',
  credential: ANYBODY,
  query: pageQuerySchema,
  answers: { 200: { description: page, body: pageOf(userResponseSchema) } },
});

export const getUser = operation({
  id: 'getUser',
  service,
  method: 'get',
  path: '/v1/dashboard/users/:id',
  tag: people,
  summary: 'Retrieve a person',
  credential: ANYBODY,
  params,
  answers: { 200: { description: 'The person.', body: userResponseSchema } },
});

export const changeUser = operation({
  id: 'changeUser',
  service,
  method: 'patch',
  path: '/v1/dashboard/users/:id',
  tag: people,
  summary: 'Give a person another role',
  description: `Nobody changes their own role: 403. ${OF_MANAGERS} The last active OWNER stays one.`,
  credential: MANAGERS,
  params,
  body: changeUserRequestSchema,
  answers: { 200: { description: 'The person as they are now.', body: userResponseSchema } },
  errors: ['LAST_OWNER'],
});

export const deactivateUser = operation({
  id: 'deactivateUser',
  service,
  method: 'post',
  path: '/v1/dashboard/users/:id/deactivate',
  tag: people,
  summary: 'Keep a person out until reactivated',
  description: `Ends their sessions. ${OF_MANAGERS} The last active OWNER stays active.`,
  credential: MANAGERS,
  params,
  answers: { 200: { description: 'The person as they are now.', body: userResponseSchema } },
  errors: ['LAST_OWNER'],
});

export const reactivateUser = operation({
  id: 'reactivateUser',
  service,
  method: 'post',
  path: '/v1/dashboard/users/:id/reactivate',
  tag: people,
  summary: 'Let a person in again',
  description: OF_MANAGERS,
  credential: MANAGERS,
  params,
  answers: { 200: { description: 'The person as they are now.', body: userResponseSchema } },
});

export const createInvitation = operation({
  id: 'createInvitation',
  service,
  method: 'post',
  path: '/v1/dashboard/invitations',
  tag: people,
  summary: 'Invite a person',
  description: `The token is answered this once and works for 7 days. ${OF_MANAGERS}`,
  credential: MANAGERS,
  body: createInvitationRequestSchema,
  answers: { 201: { description: 'The invitation with its token.', body: createdInvitationResponseSchema } },
  errors: ['EMAIL_TAKEN', 'INVITATION_OPEN'],
});

export const listInvitations = operation({
  id: 'listInvitations',
  service,
  method: 'get',
  path: '/v1/dashboard/invitations',
  tag: people,
  summary: 'List invitations',
  credential: MANAGERS,
  query: pageQuerySchema,
  answers: { 200: { description: page, body: pageOf(invitationResponseSchema) } },
});

export const revokeInvitation = operation({
  id: 'revokeInvitation',
  service,
  method: 'post',
  path: '/v1/dashboard/invitations/:id/revoke',
  tag: people,
  summary: 'Take an invitation back',
  credential: MANAGERS,
  params,
  answers: { 200: { description: 'The invitation, revoked.', body: invitationResponseSchema } },
  errors: ['INVITATION_ACCEPTED'],
});

// API keys

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
  errors: ['API_KEY_NOT_ACTIVE'],
});

// Receiver accounts

const receivers = 'Receiver accounts';

export const createReceiverAccount = operation({
  id: 'createReceiverAccount',
  service,
  method: 'post',
  path: '/v1/dashboard/receiver-accounts',
  tag: receivers,
  summary: 'Add a wallet number',
  description:
    'A number in LIVE belongs to one merchant as long as it is active there, because money on it could be claimed twice otherwise. In ' +
    'SANDBOX everybody may use every number.',
  credential: MANAGERS,
  body: createReceiverAccountRequestSchema,
  answers: { 201: { description: 'The receiver account, active.', body: receiverAccountResponseSchema } },
  errors: ['RECEIVER_ACCOUNT_EXISTS', 'RECEIVER_NUMBER_TAKEN'],
});

export const listReceiverAccounts = operation({
  id: 'listReceiverAccounts',
  service,
  method: 'get',
  path: '/v1/dashboard/receiver-accounts',
  tag: receivers,
  summary: 'List wallet numbers',
  credential: ANYBODY,
  query: receiverAccountListQuerySchema,
  answers: { 200: { description: page, body: pageOf(receiverAccountResponseSchema) } },
});

export const getReceiverAccount = operation({
  id: 'getReceiverAccount',
  service,
  method: 'get',
  path: '/v1/dashboard/receiver-accounts/:id',
  tag: receivers,
  summary: 'Retrieve a wallet number',
  credential: ANYBODY,
  params,
  answers: { 200: { description: 'The receiver account.', body: receiverAccountResponseSchema } },
});

export const changeReceiverAccount = operation({
  id: 'changeReceiverAccount',
  service,
  method: 'patch',
  path: '/v1/dashboard/receiver-accounts/:id',
  tag: receivers,
  summary: 'Change the label or the limits of a wallet number',
  description: '`limits` replaces all three limits; null lifts them. The number and the method never change.',
  credential: MANAGERS,
  params,
  body: changeReceiverAccountRequestSchema,
  answers: { 200: { description: 'The receiver account as it is now.', body: receiverAccountResponseSchema } },
});

export const activateReceiverAccount = operation({
  id: 'activateReceiverAccount',
  service,
  method: 'post',
  path: '/v1/dashboard/receiver-accounts/:id/activate',
  tag: receivers,
  summary: 'Open a wallet number again',
  credential: MANAGERS,
  params,
  answers: { 200: { description: 'The receiver account as it is now.', body: receiverAccountResponseSchema } },
  errors: ['RECEIVER_NUMBER_TAKEN'],
});

export const deactivateReceiverAccount = operation({
  id: 'deactivateReceiverAccount',
  service,
  method: 'post',
  path: '/v1/dashboard/receiver-accounts/:id/deactivate',
  tag: receivers,
  summary: 'Close a wallet number: nobody is asked to pay there',
  credential: MANAGERS,
  params,
  answers: { 200: { description: 'The receiver account as it is now.', body: receiverAccountResponseSchema } },
});

// Devices

const phones = 'Devices';

export const createDevice = operation({
  id: 'createDevice',
  service,
  method: 'post',
  path: '/v1/dashboard/devices',
  tag: phones,
  summary: 'Add a phone that forwards SMS',
  description: 'It can do nothing until it is paired: nobody is given the key that it begins with.',
  credential: MANAGERS,
  body: createDeviceRequestSchema,
  answers: { 201: { description: 'The device.', body: deviceResponseSchema } },
});

export const listDevices = operation({
  id: 'listDevices',
  service,
  method: 'get',
  path: '/v1/dashboard/devices',
  tag: phones,
  summary: 'List phones',
  credential: ANYBODY,
  query: deviceListQuerySchema,
  answers: { 200: { description: page, body: pageOf(deviceResponseSchema) } },
});

export const getDevice = operation({
  id: 'getDevice',
  service,
  method: 'get',
  path: '/v1/dashboard/devices/:id',
  tag: phones,
  summary: 'Retrieve a phone',
  credential: ANYBODY,
  params,
  answers: { 200: { description: 'The device.', body: deviceResponseSchema } },
});

export const changeDevice = operation({
  id: 'changeDevice',
  service,
  method: 'patch',
  path: '/v1/dashboard/devices/:id',
  tag: phones,
  summary: 'Change the name or the SIMs of a phone',
  description: '`sims` replaces all of them.',
  credential: MANAGERS,
  params,
  body: changeDeviceRequestSchema,
  answers: { 200: { description: 'The device as it is now.', body: deviceResponseSchema } },
});

export const beginDevicePairing = operation({
  id: 'beginDevicePairing',
  service,
  method: 'post',
  path: '/v1/dashboard/devices/:id/pairing',
  tag: phones,
  summary: 'Make a code with which a phone becomes this device',
  description:
    'Works once, for 5 minutes, and not after 5 wrong tries. A newer code ends an older one. The phone that is paired gets a key of its ' +
    'own; the key before it stops working.',
  credential: MANAGERS,
  params,
  answers: { 201: { description: 'The code, in letters and as a QR.', body: pairingResponseSchema } },
  errors: ['DEVICE_DISABLED'],
});

export const disableDevice = operation({
  id: 'disableDevice',
  service,
  method: 'post',
  path: '/v1/dashboard/devices/:id/disable',
  tag: phones,
  summary: 'Stop a phone, such as a lost one, and its open pairing',
  credential: MANAGERS,
  params,
  answers: { 200: { description: 'The device as it is now.', body: deviceResponseSchema } },
});

export const enableDevice = operation({
  id: 'enableDevice',
  service,
  method: 'post',
  path: '/v1/dashboard/devices/:id/enable',
  tag: phones,
  summary: 'Let a phone forward again',
  credential: MANAGERS,
  params,
  answers: { 200: { description: 'The device as it is now.', body: deviceResponseSchema } },
});

// The audit log

export const listAuditLog = operation({
  id: 'listAuditLog',
  service,
  method: 'get',
  path: '/v1/dashboard/audit-log',
  tag: 'Audit log',
  summary: 'List who changed what',
  description:
    'Every change with the record before and after it, without keys, passwords and codes. `from` is included, `to` is not.',
  credential: MANAGERS,
  query: auditLogQuerySchema,
  answers: { 200: { description: page, body: pageOf(auditEntryResponseSchema) } },
});
