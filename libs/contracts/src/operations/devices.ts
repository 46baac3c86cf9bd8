import { pairDeviceRequestSchema, pairedDeviceResponseSchema } from '../http/devices';
import { operation } from './operation';

export const pairDevice = operation({
  id: 'pairDevice',
  service: 'sms-ingest',
  method: 'post',
  path: '/v1/devices/pair',
  tag: 'Devices',
  summary: 'Become a device with a pairing code',
  description:
    'The code is made in the dashboard; case, spaces and dashes do not matter. The key is answered this once and is usable at once. A ' +
    'code that is wrong, used, expired or tried out is answered alike.',
  credential: { kind: 'none' },
  body: pairDeviceRequestSchema,
  answers: { 200: { description: 'The device and its key.', body: pairedDeviceResponseSchema } },
  errors: ['PAIRING_REFUSED'],
});
