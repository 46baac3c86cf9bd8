import { z } from 'zod';
import { deviceStatusSchema } from '../device-status';
import { environmentSchema } from '../environment';
import { toStorableText } from '../text';
import { requestBody } from './request-body';
import { boundedText, factTimeText } from './request-values';
import { timestamp, typedCode, uuidText, wholeNumber, yesOrNo } from './request-fields';

/** Body of POST /v1/devices/pair, and of dashboard-api's internal route behind it. Case and spaces are ignored. */
export const pairDeviceRequestSchema = requestBody({
  pairingId: uuidText('pairingId', 'pairingId is required and must be a UUID'),
  code: typedCode,
});
export type PairDeviceRequest = z.infer<typeof pairDeviceRequestSchema>;

/** `deviceKey` is returned only here. */
export const pairedDeviceResponseSchema = z.object({
  deviceId: z.uuid(),
  deviceKey: z.string(),
  environment: environmentSchema,
  name: z.string(),
});
export type PairedDeviceResponse = z.infer<typeof pairedDeviceResponseSchema>;

const MOST_SIM_SLOTS = 8;

/** Body of POST /v1/devices/heartbeat: all fields are optional. */
export const heartbeatRequestSchema = requestBody({
  batteryPercent: wholeNumber('batteryPercent', 0, 100).nullish(),
  isCharging: yesOrNo('isCharging').nullish(),
  appVersion: boundedText('appVersion', { min: 0, max: 60, repair: toStorableText }).nullish(),
  queueDepth: wholeNumber('queueDepth', 0, 1_000_000).nullish(),
  lastSmsAt: factTimeText('lastSmsAt').nullish(),
  simSlots: z
    .array(wholeNumber('simSlots', 1, MOST_SIM_SLOTS), { error: 'simSlots must be an array of slot numbers' })
    .max(MOST_SIM_SLOTS, `simSlots must have at most ${MOST_SIM_SLOTS} items`)
    .nullish(),
});
export type HeartbeatRequest = z.infer<typeof heartbeatRequestSchema>;

/** Data of a heartbeat; omitted fields are null. */
export const heartbeatFactsSchema = z.object({
  /** Percent. */
  batteryPercent: z.int().nullable(),
  isCharging: z.boolean().nullable(),
  appVersion: z.string().nullable(),
  /** Messages queued in the phone. */
  queueDepth: z.int().nullable(),
  /** When the phone last received an SMS, by its own clock. */
  lastSmsAt: timestamp.nullable(),
  /** Slots with a SIM in them, counted from 1. */
  simSlots: z.array(z.int()).nullable(),
});
export type HeartbeatFacts = z.infer<typeof heartbeatFactsSchema>;

export const lastHeartbeatSchema = heartbeatFactsSchema.extend({ at: timestamp });
export type LastHeartbeat = z.infer<typeof lastHeartbeatSchema>;

/** Instructions for the phone. */
export const heartbeatResponseSchema = z.object({
  /** Time of the database; the phone can compare its own clock with it. */
  serverTime: timestamp,
  status: deviceStatusSchema,
  /** When the next heartbeat is expected, in seconds from now. */
  nextHeartbeatSeconds: z.int().positive(),
  /**
   * Parts of the inbox to be sent again, both ends included, because balances show that a text of this wallet is
   * missing. Repeats are ignored.
   */
  reread: z.array(
    z.object({
      receiverAccountId: z.uuid(),
      /** Null: any slot. */
      simSlot: z.int().positive().nullable(),
      from: timestamp,
      to: timestamp,
    }),
  ),
});
export type HeartbeatResponse = z.infer<typeof heartbeatResponseSchema>;

export const watermarkQuerySchema = z.object({ since: factTimeText('since').optional() });

/** GET /v1/devices/watermark. The description of the operation defines the digest. */
export const watermarkResponseSchema = z.object({
  serverTime: timestamp,
  /** Start of the first UTC day covered. */
  since: timestamp,
  /** `receivedAt` of the newest message from this phone; null if there is none. */
  receivedThrough: timestamp.nullable(),
  days: z.array(
    z.object({
      /** Of UTC, by `receivedAt`. */
      day: z.iso.date(),
      simSlot: z.int().positive().nullable(),
      count: z.int().positive(),
      digest: z.string().regex(/^[0-9a-f]{16}$/),
    }),
  ),
});
export type WatermarkResponse = z.infer<typeof watermarkResponseSchema>;

export const MAX_COMPARED_MESSAGES = 500;

/** Body of POST /v1/devices/watermark. */
export const compareMessagesRequestSchema = requestBody({
  messages: z
    .array(
      z.object(
        {
          clientMessageId: boundedText('clientMessageId', {
            max: 255,
            missing: 'clientMessageId is required and must be a string',
            repair: toStorableText,
          }),
          receivedAt: factTimeText(
            'receivedAt',
            'receivedAt is required and must be an ISO 8601 timestamp with a time zone',
          ),
        },
        { error: 'messages must be objects' },
      ),
      { error: 'messages is required and must be an array' },
    )
    .max(MAX_COMPARED_MESSAGES, `messages must have at most ${MAX_COMPARED_MESSAGES} items`),
});
export type ComparedMessage = z.infer<typeof compareMessagesRequestSchema>['messages'][number];

/** Missing messages, in the order of the request. */
export const compareMessagesResponseSchema = z.object({ missing: z.array(z.string()) });

/** sms-ingest `GET /internal/v1/devices/:id`, for the tenant of the headers; null if the device was never seen. */
export const deviceLastSeenSchema = z.object({
  sighting: z
    .object({
      deviceId: z.uuid(),
      seenAt: timestamp,
      sendsHeartbeat: z.boolean(),
      lastHeartbeat: lastHeartbeatSchema.nullable(),
    })
    .nullable(),
});
export type DeviceLastSeen = z.infer<typeof deviceLastSeenSchema>['sighting'];
