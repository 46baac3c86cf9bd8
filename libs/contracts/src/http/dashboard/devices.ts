import { z } from 'zod';
import { deviceStatusSchema } from '../../device-status';
import { environmentSchema } from '../../environment';
import { lastHeartbeatSchema } from '../devices';
import { pageQuerySchema } from '../pagination';
import { requestBody } from '../request-body';
import { name, versioned } from './fields';
import { environmentFilter, personsReason, requiredEnvironment, timestamp, wholeNumber } from '../request-fields';

/** Per merchant and environment, without disabled ones. Many more than the phones of a large shop. */
export const MAX_DEVICES = 1_000;
const MAX_RECEIVERS_PER_SIM = 50;
const MAX_SIM_SLOT = 8;
const distinct = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];

/** An array in which one item at most has this slot. */
const atMostOnce = (simSlot: number | null) => ({
  contains: { type: 'object', properties: { simSlot: { const: simSlot } }, required: ['simSlot'] },
  minContains: 0,
  maxContains: 1,
});

const simsInput = z
  .array(
    z.object(
      {
        simSlot: wholeNumber(
          'simSlot',
          1,
          MAX_SIM_SLOT,
          'simSlot must be a whole number, or null for any slot',
        ).nullable(),
        receiverAccountIds: z
          .array(z.uuid({ error: 'receiverAccountIds must be UUIDs' }).toLowerCase(), {
            error: 'receiverAccountIds is required and must be an array of UUIDs',
          })
          .max(MAX_RECEIVERS_PER_SIM, `receiverAccountIds must have at most ${MAX_RECEIVERS_PER_SIM} items`)
          .transform(distinct),
      },
      { error: 'sims must be objects' },
    ),
    { error: 'sims must be an array' },
  )
  .max(MAX_SIM_SLOT + 1, `sims must have at most ${MAX_SIM_SLOT + 1} items`)
  .refine(
    (sims) => new Set(sims.map((sim) => sim.simSlot)).size === sims.length,
    'sims must not contain a simSlot twice',
  )
  .meta({ allOf: [null, ...Array.from({ length: MAX_SIM_SLOT }, (_, index) => index + 1)].map(atMostOnce) });

export const createDeviceRequestSchema = requestBody({
  environment: requiredEnvironment,
  name: name('name'),
  sims: simsInput.nullish().transform((sims) => sims ?? []),
});

export const changeDeviceRequestSchema = requestBody({ name: name('name').optional(), sims: simsInput.optional() });

/** Body of POST /v1/dashboard/devices/:id/allow-unsigned-texts. */
export const allowUnsignedTextsRequestSchema = requestBody({
  acknowledgeForgedPayments: z
    .literal(true, {
      error:
        'acknowledgeForgedPayments must be true: anyone who knows the address of a hook of this device can then forge payments',
    })
    .describe('Confirms that the warning in the description of this operation was read.'),
  reason: personsReason.describe('Reason for the audit log.'),
});

export const deviceResponseSchema = z.object({
  id: z.uuid(),
  environment: environmentSchema,
  name: z.string(),
  sims: z.array(z.object({ simSlot: z.int().positive().nullable(), receiverAccountIds: z.array(z.uuid()) })),
  isDisabled: z.boolean(),
  /** Time of the last pairing; null before the first. */
  pairedAt: timestamp.nullable(),
  status: deviceStatusSchema,
  /** Whether LIVE accepts unsigned SMS texts of this device. SANDBOX always does. */
  allowsUnsignedTexts: z.boolean(),
  /** Time of the last heartbeat or SMS; null if there was none. */
  lastSeenAt: timestamp.nullable(),
  ...versioned,
});
export type DeviceResponse = z.infer<typeof deviceResponseSchema>;

/** Heartbeat data from sms-ingest; null without a heartbeat or if sms-ingest is unavailable. */
export const deviceDetailsResponseSchema = deviceResponseSchema.extend({
  lastHeartbeat: lastHeartbeatSchema.nullable(),
});

export const deviceListQuerySchema = pageQuerySchema.extend({ environment: environmentFilter });

/** `code` is returned only here, as text and in the QR code. */
export const pairingResponseSchema = z.object({
  pairingId: z.uuid(),
  code: z.string(),
  expiresAt: timestamp,
  /** JSON content of the QR code. */
  qrPayload: z.string(),
  /** SVG image of the QR code. */
  qrSvg: z.string(),
});
