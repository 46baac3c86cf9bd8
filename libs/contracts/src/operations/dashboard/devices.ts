import {
  allowUnsignedTextsRequestSchema,
  changeDeviceRequestSchema,
  createDeviceRequestSchema,
  deviceDetailsResponseSchema,
  deviceListQuerySchema,
  deviceResponseSchema,
  MAX_DEVICES,
  pairingResponseSchema,
} from '../../http/dashboard';
import { pageOf } from '../../http/pagination';
import { ANYBODY, MANAGERS, OWNERS, page, section } from './common';

const api = section('Devices');
const LIMIT = `A merchant has at most ${MAX_DEVICES.toLocaleString('en')} enabled devices per environment.`;

export const createDevice = api.post('createDevice', '/v1/dashboard/devices', {
  summary: 'Add a device',
  description: `The device cannot forward SMS until it is paired. ${LIMIT}`,
  credential: MANAGERS,
  body: createDeviceRequestSchema,
  answers: { 201: { description: 'The device.', body: deviceResponseSchema } },
  errors: ['NOT_FOUND', 'DEVICE_LIMIT_REACHED'],
});

export const listDevices = api.get('listDevices', '/v1/dashboard/devices', {
  summary: 'List devices',
  credential: ANYBODY,
  query: deviceListQuerySchema,
  answers: { 200: { description: page, body: pageOf(deviceResponseSchema) } },
});

export const getDevice = api.get('getDevice', '/v1/dashboard/devices/:id', {
  summary: 'Retrieve a device',
  description: 'Includes the data of its last heartbeat.',
  credential: ANYBODY,
  answers: { 200: { description: 'The device.', body: deviceDetailsResponseSchema } },
});

export const changeDevice = api.patch('changeDevice', '/v1/dashboard/devices/:id', {
  summary: 'Update the name or the SIMs of a device',
  description: '`sims` replaces all SIMs.',
  credential: MANAGERS,
  body: changeDeviceRequestSchema,
  answers: { 200: { description: 'The updated device.', body: deviceResponseSchema } },
});

export const beginDevicePairing = api.post('beginDevicePairing', '/v1/dashboard/devices/:id/pairing', {
  summary: 'Create a pairing code for a device',
  description:
    'The code can be used once within 5 minutes and is void after 5 wrong attempts. A new code replaces an open one. The paired ' +
    'phone gets a new device key; the previous key becomes invalid.',
  credential: MANAGERS,
  answers: {
    201: {
      description: 'The code as text and as a QR code. `docs/devices.md` describes the content of the QR code.',
      body: pairingResponseSchema,
    },
  },
  errors: ['DEVICE_DISABLED'],
});

export const disableDevice = api.post('disableDevice', '/v1/dashboard/devices/:id/disable', {
  summary: 'Disable a device and its open pairing',
  credential: MANAGERS,
  answers: { 200: { description: 'The updated device.', body: deviceResponseSchema } },
});

export const enableDevice = api.post('enableDevice', '/v1/dashboard/devices/:id/enable', {
  summary: 'Enable a device',
  description: LIMIT,
  credential: MANAGERS,
  answers: { 200: { description: 'The updated device.', body: deviceResponseSchema } },
  errors: ['DEVICE_LIMIT_REACHED'],
});

export const allowUnsignedTexts = api.post('allowUnsignedTexts', '/v1/dashboard/devices/:id/allow-unsigned-texts', {
  summary: 'Allow unsigned SMS texts of a device in LIVE',
  description:
    'Warning: SmsForwarder, httpSMS, Incoming SMS to URL and PipraPay do not sign the text of an SMS, so anyone who knows the ' +
    'address of such a hook can forge a payment. Prefer an app that signs the text, such as SMS Gateway for Android. In LIVE, SMS ' +
    'from unsigned apps go to review until an OWNER relaxes `unsigned_forwarder` in the rules of the merchant. Only an OWNER can ' +
    'call this operation; the audit log stores the reason.',
  credential: OWNERS,
  body: allowUnsignedTextsRequestSchema,
  answers: { 200: { description: 'The updated device.', body: deviceResponseSchema } },
});

export const refuseUnsignedTexts = api.post('refuseUnsignedTexts', '/v1/dashboard/devices/:id/refuse-unsigned-texts', {
  summary: 'Reject unsigned SMS texts of a device in LIVE',
  description: 'This is the default. Hooks of apps that do not sign the text return 403 after about one second.',
  credential: MANAGERS,
  answers: { 200: { description: 'The updated device.', body: deviceResponseSchema } },
});
