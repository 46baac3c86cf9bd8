import {
  compareMessagesRequestSchema,
  compareMessagesResponseSchema,
  heartbeatRequestSchema,
  heartbeatResponseSchema,
  pairDeviceRequestSchema,
  pairedDeviceResponseSchema,
  watermarkQuerySchema,
  watermarkResponseSchema,
} from '../http/devices';
import { operations } from './operation';

const credential = { kind: 'deviceKey' } as const;

const api = operations({ service: 'sms-ingest', tag: 'Devices' });

export const pairDevice = api.post('pairDevice', '/v1/devices/pair', {
  summary: 'Pair a device',
  description:
    'The pairing code is created in the dashboard; case, spaces and dashes are ignored. The device key is returned only in this ' +
    'response and is valid immediately. Wrong, used, expired and blocked codes return the same response.',
  credential: { kind: 'none' },
  body: pairDeviceRequestSchema,
  answers: { 200: { description: 'The device and its key.', body: pairedDeviceResponseSchema } },
  errors: ['PAIRING_REFUSED'],
});

export const sendHeartbeat = api.post('sendHeartbeat', '/v1/devices/heartbeat', {
  summary: 'Send a heartbeat',
  description:
    'Send one heartbeat per minute. After three minutes without a heartbeat the device is OFFLINE and its receiver accounts are ' +
    'selected last; after five minutes an alert is raised. All fields are optional; omitted fields are shown as unknown.',
  credential,
  body: heartbeatRequestSchema,
  answers: { 200: { description: 'Instructions for the device.', body: heartbeatResponseSchema } },
});

export const getWatermark = api.get('getWatermark', '/v1/devices/watermark', {
  summary: 'Get the watermark of received messages',
  description:
    'For each UTC day and SIM slot: the number of messages with a `clientMessageId` received from this device, and a digest of ' +
    'their ids. The digest is the XOR of the first 8 bytes of the SHA-256 of each id (UTF-8), as 16 hexadecimal digits; it does ' +
    'not depend on the order. If the count or digest differs from the inbox of the phone, use `POST /v1/devices/watermark` to find ' +
    'the missing messages. `since` is rounded down to the start of its day; default 7 days ago, at most 31 days.',
  credential,
  query: watermarkQuerySchema,
  answers: { 200: { description: 'The days with messages, oldest first.', body: watermarkResponseSchema } },
});

export const compareMessages = api.post('compareMessages', '/v1/devices/watermark', {
  summary: 'Find missing messages among up to 500',
  description:
    'A message is known if this device has sent a message with the same `clientMessageId` and the same UTC day of `receivedAt`. ' +
    'Send missing messages to `POST /v1/sms-events/incoming`. A phone without stable ids can send all messages again; repeats are ' +
    'ignored.',
  credential,
  body: compareMessagesRequestSchema,
  bodyLimit: '256kb',
  answers: {
    200: { description: 'The missing messages, in the order of the request.', body: compareMessagesResponseSchema },
  },
});
