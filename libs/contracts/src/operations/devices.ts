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
import { operation } from './operation';

const tag = 'Devices';
const credential = { kind: 'deviceKey' } as const;

export const pairDevice = operation({
  id: 'pairDevice',
  service: 'sms-ingest',
  method: 'post',
  path: '/v1/devices/pair',
  tag,
  summary: 'Become a device with a pairing code',
  description:
    'The code is made in the dashboard; case, spaces and dashes do not matter. The key is answered this once and is usable at once. A ' +
    'code that is wrong, used, expired or tried out is answered alike.',
  credential: { kind: 'none' },
  body: pairDeviceRequestSchema,
  answers: { 200: { description: 'The device and its key.', body: pairedDeviceResponseSchema } },
  errors: ['PAIRING_REFUSED'],
});

export const sendHeartbeat = operation({
  id: 'sendHeartbeat',
  service: 'sms-ingest',
  method: 'post',
  path: '/v1/devices/heartbeat',
  tag,
  summary: 'Say that the phone is alive, and hear what it should do',
  description:
    'Once a minute. A phone that misses three minutes is OFFLINE: its wallets are shown to customers last, and after five the merchant is ' +
    'told. Everything in the body is optional; what is left out is shown as unknown.',
  credential,
  body: heartbeatRequestSchema,
  answers: { 200: { description: 'What to do next.', body: heartbeatResponseSchema } },
});

export const getWatermark = operation({
  id: 'getWatermark',
  service: 'sms-ingest',
  method: 'get',
  path: '/v1/devices/watermark',
  tag,
  summary: 'Ask which messages of this phone the server has',
  description:
    'Per day of UTC and SIM slot, how many messages with a `clientMessageId` this phone has brought, and a digest of their ids: the first ' +
    '8 bytes of the SHA-256 of each id (UTF-8), all combined by XOR, as 16 hexadecimal digits. The order does not matter, so a phone ' +
    'computes the same of its inbox; where count or digest differ, it asks `POST /v1/devices/watermark` which ones are missing. `since` ' +
    'is taken back to the start of its day; 7 days ago unless given, 31 at most.',
  credential,
  query: watermarkQuerySchema,
  answers: { 200: { description: 'The days with messages, oldest first.', body: watermarkResponseSchema } },
});

export const compareMessages = operation({
  id: 'compareMessages',
  service: 'sms-ingest',
  method: 'post',
  path: '/v1/devices/watermark',
  tag,
  summary: 'Ask which of up to 500 messages are missing',
  description:
    'A message is there when this phone has brought one with the same `clientMessageId` on the same day of UTC, by `receivedAt`. What is ' +
    'missing is to be sent to `POST /v1/sms-events/incoming`. A phone without ids of its own sends everything again: repeats do no harm.',
  credential,
  body: compareMessagesRequestSchema,
  bodyLimit: '256kb',
  answers: { 200: { description: 'The missing ones, in the order asked.', body: compareMessagesResponseSchema } },
});
