import { z } from 'zod';
import { matchStatusSchema, smsStatusSchema } from '../status';
import { toStorableText } from '../text';
import { requestBody } from './request-body';
import { boundedText, factTimeText, type TextRule } from './request-values';
import { wholeNumber } from './request-fields';

export const MAX_SMS_BATCH = 500;
export const MAX_SMS_TEXT_LENGTH = 2_000;

/** A phone cannot correct a text it received: characters that cannot be stored are replaced, not rejected. */
const forwardedText = (field: string, rule: Omit<TextRule, 'repair'>) =>
  boundedText(field, { ...rule, repair: toStorableText });

/** One SMS as a phone forwards it. `receivedAt` is the phone's time of receipt; `simSlot` counts from 1. */
export const incomingSmsSchema = requestBody({
  sender: forwardedText('sender', { max: 64, missing: 'sender is required and must be a string', trimmed: true }),
  message: forwardedText('message', { max: MAX_SMS_TEXT_LENGTH, missing: 'message is required and must be a string' }),
  receiverMsisdn: forwardedText('receiverMsisdn', { min: 0, max: 20, trimmed: true }).nullish(),
  simSlot: wholeNumber('simSlot', 1, 8).nullish(),
  receivedAt: factTimeText('receivedAt', 'receivedAt is required and must be an ISO 8601 timestamp with a time zone'),
  clientMessageId: forwardedText('clientMessageId', { max: 255 }).nullish(),
}).meta({ id: 'IncomingSms' });
export type IncomingSms = z.infer<typeof incomingSmsSchema>;

/** 202 answer for one accepted message. */
export const smsAcceptedSchema = z
  .object({ id: z.uuid(), status: smsStatusSchema, duplicate: z.boolean() })
  .meta({ id: 'SmsAccepted' });
export type SmsAccepted = z.infer<typeof smsAcceptedSchema>;

/** Body of a batch. Items are validated one by one; an invalid item does not affect the others. */
export const incomingSmsBatchSchema = requestBody({
  messages: z
    .array(z.unknown(), { error: 'messages must be an array' })
    .max(MAX_SMS_BATCH, `messages must have at most ${MAX_SMS_BATCH} items`),
});

/** Error of one message of a batch: invalid, or not stored and to be sent again. */
export const smsRefusedSchema = z
  .object({
    error: z.object({ code: z.enum(['INVALID_MESSAGE', 'INTERNAL_ERROR']), message: z.string() }),
  })
  .meta({ id: 'SmsRefused' });
export type SmsRefused = z.infer<typeof smsRefusedSchema>;

/** 202 answer for many, in the order of the request. */
export const smsBatchAcceptedSchema = z.object({ results: z.array(z.union([smsAcceptedSchema, smsRefusedSchema])) });

/** Body of POST /v1/sms-events/incoming: one message or `{messages: [...]}`. The shape decides which rules apply. */
export const anyIncomingSmsSchema = z.looseObject({}, { error: 'body must be a JSON object' });

/** The documented request body. An invalid item of a batch gets its own error in the response. */
export const describedIncomingSmsSchema = z.union([
  incomingSmsSchema.extend({ messages: z.never().optional() }),
  z.object({
    messages: z
      .array(
        z.union([
          incomingSmsSchema,
          z.unknown().meta({ description: 'Any other item gets an error result; the other items are not affected.' }),
        ]),
      )
      .max(MAX_SMS_BATCH),
  }),
]);

export const anySmsAcceptedSchema = z.union([smsAcceptedSchema, smsBatchAcceptedSchema]);

/** Body of POST /v1/sms-events/status-batch. */
export const smsStatusBatchRequestSchema = requestBody({
  ids: z
    .array(z.uuid({ error: 'ids must be UUIDs' }).toLowerCase(), {
      error: 'ids is required and must be an array of UUIDs',
    })
    .max(MAX_SMS_BATCH, `ids must have at most ${MAX_SMS_BATCH} items`),
});

/** Its response, in the order of the request; ids of other merchants and environments are omitted. */
export const smsStatusBatchResponseSchema = z.object({
  results: z.array(
    z.object({
      id: z.uuid(),
      status: smsStatusSchema,
      matchStatus: matchStatusSchema.nullable(),
      paymentIntentId: z.uuid().nullable(),
    }),
  ),
});
export type SmsStatusBatchResponse = z.infer<typeof smsStatusBatchResponseSchema>;
