import { z } from 'zod';
import { paymentMethodSchema, providerSchema } from '../payment-method';

const timestamp = z.iso.datetime({ offset: true });

/** What a text tells of, whoever sent it. Only the first three ever confirm a payment. */
export const smsKindSchema = z.enum(['SEND_MONEY_RECEIVED', 'PAYMENT_RECEIVED', 'CASH_OUT_RECEIVED', 'OTHER']);
export type SmsKind = z.infer<typeof smsKindSchema>;
export const smsDirectionSchema = z.enum(['IN', 'OUT', 'NONE']);
export type SmsDirection = z.infer<typeof smsDirectionSchema>;

const smsOrigin = {
  smsEventId: z.uuid(),
  deviceId: z.uuid(),
  /** Null when the text could belong to several of the device's wallets: nothing is confirmed by guesswork. */
  receiverAccountId: z.uuid().nullable(),
  receiverMsisdn: z.string().nullable(),
  simSlot: z.int().nullable(),
  sender: z.string(),
  receivedAt: timestamp,
  ingestedAt: timestamp,
  parserVersion: z.string(),
};

/** `sms.parsed`: evidence that money came in. The text itself never leaves sms-ingest. aggregateId = SMS event id. */
export const smsParsedV1 = z.object({
  ...smsOrigin,
  provider: providerSchema,
  kind: smsKindSchema,
  direction: smsDirectionSchema,
  paymentMethod: paymentMethodSchema,
  amount: z.string(),
  fee: z.string().nullable(),
  balance: z.string().nullable(),
  trxId: z.string(),
  reference: z.string().nullable(),
  senderMsisdn: z.string().nullable(),
  /** Time written in the text, read as Asia/Dhaka, minute precision. */
  providerTime: timestamp,
});
export type SmsParsed = z.infer<typeof smsParsedV1>;

/** `sms.unparsed`: stored, never evidence; the facts that could be read are kept. */
export const smsUnparsedV1 = z.object({
  ...smsOrigin,
  provider: providerSchema.nullable(),
  reason: z.string(),
});
export type SmsUnparsed = z.infer<typeof smsUnparsedV1>;
