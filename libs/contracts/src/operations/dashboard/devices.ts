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
  summary: 'Add a device',
  description: 'The device cannot forward SMS until it is paired.',
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
  summary: 'List devices',
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
  summary: 'Retrieve a device',
  description: 'Includes the data of its last heartbeat.',
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
  summary: 'Update the name or the SIMs of a device',
  description: '`sims` replaces all SIMs.',
  credential: MANAGERS,
  params,
  body: changeDeviceRequestSchema,
  answers: { 200: { description: 'The updated device.', body: deviceResponseSchema } },
});

export const beginDevicePairing = operation({
  id: 'beginDevicePairing',
  service,
  method: 'post',
  path: '/v1/dashboard/devices/:id/pairing',
  tag: phones,
  summary: 'Create a pairing code for a device',
  description:
    'The code can be used once within 5 minutes and is void after 5 wrong attempts. A new code replaces an open one. The paired ' +
    'phone gets a new device key; the previous key becomes invalid.',
  credential: MANAGERS,
  params,
  answers: {
    201: {
      description: 'The code as text and as a QR code. `docs/devices.md` describes the content of the QR code.',
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
  summary: 'Disable a device and its open pairing',
  credential: MANAGERS,
  params,
  answers: { 200: { description: 'The updated device.', body: deviceResponseSchema } },
});

export const enableDevice = operation({
  id: 'enableDevice',
  service,
  method: 'post',
  path: '/v1/dashboard/devices/:id/enable',
  tag: phones,
  summary: 'Enable a device',
  credential: MANAGERS,
  params,
  answers: { 200: { description: 'The updated device.', body: deviceResponseSchema } },
});

export const allowUnsignedTexts = operation({
  id: 'allowUnsignedTexts',
  service,
  method: 'post',
  path: '/v1/dashboard/devices/:id/allow-unsigned-texts',
  tag: phones,
  summary: 'Allow unsigned SMS texts of a device in LIVE',
  description:
    'Warning: SmsForwarder, httpSMS, Incoming SMS to URL and PipraPay do not sign the text of an SMS, so anyone who knows the ' +
    'address of such a hook can forge a payment. Prefer an app that signs the text, such as SMS Gateway for Android. In LIVE, SMS ' +
    'from unsigned apps go to review until an OWNER relaxes `unsigned_forwarder` in the rules of the merchant. Only an OWNER can ' +
    'call this operation; the audit log stores the reason.',
  credential: OWNERS,
  params,
  body: allowUnsignedTextsRequestSchema,
  answers: { 200: { description: 'The updated device.', body: deviceResponseSchema } },
});

export const refuseUnsignedTexts = operation({
  id: 'refuseUnsignedTexts',
  service,
  method: 'post',
  path: '/v1/dashboard/devices/:id/refuse-unsigned-texts',
  tag: phones,
  summary: 'Reject unsigned SMS texts of a device in LIVE',
  description: 'This is the default. Hooks of apps that do not sign the text are answered 403 after about one second.',
  credential: MANAGERS,
  params,
  answers: { 200: { description: 'The updated device.', body: deviceResponseSchema } },
});
