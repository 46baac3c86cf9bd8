import { z } from 'zod';
import { smsStatusSchema } from '../status';

export const MAX_SMS_BATCH = 500;
export const MAX_SMS_TEXT_LENGTH = 2_000;

/** One SMS as a phone forwards it. `receivedAt` is the phone's time of receipt; `simSlot` counts from 1. */
export const incomingSmsSchema = z.object({
  sender: z
    .string({ error: 'sender is required and must be a string' })
    .trim()
    .min(1, 'sender must not be empty')
    .max(64, 'sender must be at most 64 characters'),
  message: z
    .string({ error: 'message is required and must be a string' })
    .min(1, 'message must not be empty')
    .max(MAX_SMS_TEXT_LENGTH, `message must be at most ${MAX_SMS_TEXT_LENGTH} characters`),
  receiverMsisdn: z
    .string({ error: 'receiverMsisdn must be a string' })
    .trim()
    .max(20, 'receiverMsisdn must be at most 20 characters')
    .nullish(),
  simSlot: z
    .int({ error: 'simSlot must be a whole number' })
    .min(1, 'simSlot must be at least 1')
    .max(8, 'simSlot must be at most 8')
    .nullish(),
  receivedAt: z.iso.datetime({ offset: true, error: 'receivedAt is required and must be an ISO 8601 timestamp' }),
  clientMessageId: z
    .string({ error: 'clientMessageId must be a string' })
    .min(1, 'clientMessageId must not be empty')
    .max(255, 'clientMessageId must be at most 255 characters')
    .nullish(),
});
export type IncomingSms = z.infer<typeof incomingSmsSchema>;

/** 202 answer for one accepted message. */
export const smsAcceptedSchema = z.object({ id: z.uuid(), status: smsStatusSchema, duplicate: z.boolean() });
export type SmsAccepted = z.infer<typeof smsAcceptedSchema>;
