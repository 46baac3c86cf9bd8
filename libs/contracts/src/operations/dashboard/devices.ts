import {
  allowUnsignedTextsRequestSchema,
  changeDeviceRequestSchema,
  createDeviceRequestSchema,
  deviceDetailsResponseSchema,
  deviceListQuerySchema,
  deviceResponseSchema,
  pairingResponseSchema,
} from '../../http/dashboard';
import { pageOf } from '../../http/pagination';
import { operation } from '../operation';
import { ANYBODY, MANAGERS, OWNERS, page, params, service } from './common';

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
  errors: ['NOT_FOUND'],
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
  description: 'With what its last heartbeat said.',
  credential: ANYBODY,
  params,
  answers: { 200: { description: 'The device.', body: deviceDetailsResponseSchema } },
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
  answers: {
    201: {
      description: 'The code, in letters and as a QR. `docs/devices.md` says what the QR holds.',
      body: pairingResponseSchema,
    },
  },
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

export const allowUnsignedTexts = operation({
  id: 'allowUnsignedTexts',
  service,
  method: 'post',
  path: '/v1/dashboard/devices/:id/allow-unsigned-texts',
  tag: phones,
  summary: 'Let LIVE accept texts that the forwarder app of a phone did not sign',
  description:
    'Warning: SmsForwarder, httpSMS, Incoming SMS to URL and PipraPay do not sign the text of an SMS. Whoever learns the address of such a ' +
    'hook can send a text that looks like a payment. Prefer an app that signs the text, such as SMS Gateway for Android. Evidence from ' +
    'these apps goes to review in LIVE until an OWNER relaxes `unsigned_forwarder` in the rules of the merchant. Only an OWNER can allow it, ' +
    'and the audit log keeps the reason.',
  credential: OWNERS,
  params,
  body: allowUnsignedTextsRequestSchema,
  answers: { 200: { description: 'The device as it is now.', body: deviceResponseSchema } },
});

export const refuseUnsignedTexts = operation({
  id: 'refuseUnsignedTexts',
  service,
  method: 'post',
  path: '/v1/dashboard/devices/:id/refuse-unsigned-texts',
  tag: phones,
  summary: 'Let LIVE refuse texts that the forwarder app of a phone did not sign',
  description:
    'This is how every device begins. Its hooks of apps that do not sign the text are refused with 403 in about a second.',
  credential: MANAGERS,
  params,
  answers: { 200: { description: 'The device as it is now.', body: deviceResponseSchema } },
});
