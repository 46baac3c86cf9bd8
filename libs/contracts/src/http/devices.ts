import { z } from 'zod';
import { environmentSchema } from '../environment';
import { requestBody } from './request-body';

/** Body of POST /v1/devices/pair, and of dashboard-api's internal route behind it. Typed by a person: case and spaces do not matter. */
export const pairDeviceRequestSchema = requestBody({
  pairingId: z.uuid({ error: 'pairingId is required and must be a UUID' }),
  code: z
    .string({ error: 'code is required and must be a string' })
    .max(40, 'code must be at most 40 characters')
    .transform((code) => code.replace(/[\s-]/g, '').toUpperCase()),
});
export type PairDeviceRequest = z.infer<typeof pairDeviceRequestSchema>;

/** `deviceKey` is answered this once. */
export const pairedDeviceResponseSchema = z.object({
  deviceId: z.uuid(),
  deviceKey: z.string(),
  environment: environmentSchema,
  name: z.string(),
});
export type PairedDeviceResponse = z.infer<typeof pairedDeviceResponseSchema>;
