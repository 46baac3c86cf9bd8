import { z } from 'zod';
import { paymentMethodSchema, providerSchema } from '../payment-method';
import { timestamp } from '../timestamp';
import { reannouncement } from './reannouncement';

/** Kinds of evidence. Only the first three confirm a payment. */
export const smsKindSchema = z.enum(['SEND_MONEY_RECEIVED', 'PAYMENT_RECEIVED', 'CASH_OUT_RECEIVED', 'OTHER']);
export type SmsKind = z.infer<typeof smsKindSchema>;
export const smsDirectionSchema = z.enum(['IN', 'OUT', 'NONE']);
export type SmsDirection = z.infer<typeof smsDirectionSchema>;

/** Every kind of text that is recognised. A newer sms-ingest may know more, so consumers read it as text. */
export const RECOGNISED_SMS_KINDS = [
  'SEND_MONEY_RECEIVED',
  'PAYMENT_RECEIVED',
  'CASH_OUT_RECEIVED',
  'CASH_IN_RECEIVED',
  'B2B_RECEIVED',
  'INTERBANK_RECEIVED',
  'DISBURSEMENT_RECEIVED',
  'COMMISSION_RECEIVED',
  'CASHBACK_RECEIVED',
  'INTEREST_RECEIVED',
  'ADD_MONEY',
  'LOAN_RECEIVED',
  'REMITTANCE_RECEIVED',
  'REFUND_RECEIVED',
  'RESERVE_RELEASED',
  'MONEY_RETURNED',
  'SEND_MONEY_SENT',
  'PAYMENT_SENT',
  'PAYMENT_RESERVED',
  'CASH_OUT_SENT',
  'CASH_IN_GIVEN',
  'B2B_SENT',
  'BANK_TRANSFER_SENT',
  'SAVINGS_PAID',
  'LOAN_REPAID',
  'RECHARGE',
  'BILL_PAID',
  'REVERSAL',
  'REFUND',
  'CANCELLED',
  'FAILED',
  'BALANCE',
  'OTP',
  'PROMOTION',
  'NOTICE',
] as const;
export type RecognisedSmsKind = (typeof RECOGNISED_SMS_KINDS)[number];

/**
 * A property that is more frequent in forged texts than in a provider's. It is never a proof and contains no personal
 * data.
 */
export const smsSignalSchema = z.object({ name: z.string(), detail: z.string() });
export type SmsSignal = z.infer<typeof smsSignalSchema>;

/**
 * How the sender of a text was authenticated. `device_key`: a device with its own key. `signed`: a forwarder app that
 * signs the text. `unsigned`: an app that does not, so that its hook URL is enough to forge a text.
 */
export const authenticitySchema = z.enum(['device_key', 'signed', 'unsigned']);
export type Authenticity = z.infer<typeof authenticitySchema>;

const smsOrigin = {
  smsEventId: z.uuid(),
  deviceId: z.uuid(),
  /** Null if the text could belong to several of the device's wallets: a wallet is never guessed. */
  receiverAccountId: z.uuid().nullable(),
  receiverMsisdn: z.string().nullable(),
  simSlot: z.int().nullable(),
  sender: z.string(),
  receivedAt: timestamp,
  ingestedAt: timestamp,
  parserVersion: z.string(),
  /** Absent in events that were written before there were signals: read it as none. */
  signals: z.array(smsSignalSchema).optional(),
  /** Absent in events that were written before it existed: read it as `device_key`. */
  authenticity: authenticitySchema.nullish(),
};

/** `sms.parsed`: evidence of received money. The text itself is not published. aggregateId = SMS event id. */
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
  ...reannouncement,
});
export type SmsParsed = z.infer<typeof smsParsedV1>;

/** Parsed values of a text that is not evidence; null if absent. */
export const smsFactsSchema = z.object({
  /** One of RECOGNISED_SMS_KINDS, or one that is newer. */
  kind: z.string(),
  /** Its effect on the balance of the receiving wallet. */
  direction: smsDirectionSchema,
  amount: z.string().nullable(),
  fee: z.string().nullable(),
  commission: z.string().nullable(),
  balance: z.string().nullable(),
  trxId: z.string().nullable(),
  reference: z.string().nullable(),
  senderMsisdn: z.string().nullable(),
  recipientMsisdn: z.string().nullable(),
  providerTime: timestamp.nullable(),
});
export type SmsFacts = z.infer<typeof smsFactsSchema>;

/** `sms.unparsed`: stored, never evidence; the facts that could be read are kept. */
export const smsUnparsedV1 = z.object({
  ...smsOrigin,
  provider: providerSchema.nullable(),
  reason: z.string(),
  /**
   * The provider of the text, including those whose money is not collected (ROCKET, UPAY). Null for a text of an
   * unknown sender.
   */
  wallet: z.string().nullable().optional(),
  /** Null if the kind is unknown; absent in events from before other kinds of texts were recognised. */
  facts: smsFactsSchema.nullable().optional(),
});
export type SmsUnparsed = z.infer<typeof smsUnparsedV1>;

/**
 * `sms.signals_changed`: the signals of a text have changed, for example because a late text continues its balance.
 * Contains all current signals; `sequence` continues from `sms.parsed`. aggregateId = SMS event id.
 */
export const smsSignalsChangedV1 = z.object({ smsEventId: z.uuid(), signals: z.array(smsSignalSchema) });
