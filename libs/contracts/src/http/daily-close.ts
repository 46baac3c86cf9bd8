import { z } from 'zod';
import { environmentSchema } from '../environment';
import { paymentMethodSchema } from '../payment-method';
import { matchStatusSchema } from '../status';
import { dhakaDate } from './request-values';
import { timestamp, uuidText } from './request-fields';

/** Query of GET /v1/dashboard/daily-close. */
export const dailyCloseQuerySchema = z.object({
  environment: z.enum(environmentSchema.options, { error: 'environment must be SANDBOX or LIVE' }),
  date: dhakaDate('date', 'A day in Asia/Dhaka, from midnight to midnight, between 1970 and 2099.'),
  receiverAccountId: uuidText('receiverAccountId').optional(),
  format: z
    .enum(['json', 'csv'], { error: 'format must be json or csv' })
    .optional()
    .meta({ description: 'Takes precedence over `Accept`.' }),
  lines: z
    .enum(['accounts', 'money_without_order'], { error: 'lines must be accounts or money_without_order' })
    .optional()
    .meta({ description: 'For CSV: one line per account, or one line per incoming payment without an order.' }),
});

/** Query of sms-ingest's `GET /internal/v1/daily-close`: the same with the tenant. */
export const internalDailyCloseQuerySchema = dailyCloseQuerySchema
  .omit({ format: true, lines: true })
  .extend({ merchantId: z.uuid() });
export type InternalDailyCloseQuery = z.infer<typeof internalDailyCloseQuerySchema>;

const sumSchema = z.object({ count: z.int().nonnegative(), amount: z.string() });

/** Maximum number of listed items without an order; `unmatched` includes all of them. */
export const MOST_MONEY_WITHOUT_ORDER = 500;

export const moneyWithoutOrderSchema = z.object({
  smsEventId: z.uuid(),
  /** The provider's time, to the minute. */
  at: timestamp,
  amount: z.string(),
  trxId: z.string().nullable(),
  reference: z.string().nullable(),
  /** Null: not decided yet. */
  matchStatus: matchStatusSchema.nullable(),
});
export type MoneyWithoutOrder = z.infer<typeof moneyWithoutOrderSchema>;

/**
 * One wallet's day. opening + matched + unmatched + otherIncoming - outgoing - fees + commissions + adjustments =
 * expected, and closing - expected = difference. Amounts are decimal strings in BDT and may be negative where
 * applicable.
 */
export const receiverDaySchema = z.object({
  receiverAccountId: z.uuid(),
  paymentMethod: paymentMethodSchema,
  receiverMsisdn: z.string(),
  /** Texts of this day with information about the balance. */
  texts: z.int().nonnegative(),
  /** Null while no text contains a balance. */
  openingBalance: z.string().nullable(),
  /** Money that pays an order. */
  matched: sumSchema,
  /** Received money that could pay an order and does not. */
  unmatched: sumSchema,
  /** Received money that cannot pay an order: cash-in, cashback, interest, ... */
  otherIncoming: sumSchema,
  outgoing: sumSchema,
  fees: z.string(),
  commissions: z.string(),
  /** Effects of texts without an amount, derived from the surrounding balances. */
  adjustments: z.string(),
  closingBalance: z.string().nullable(),
  expectedBalance: z.string().nullable(),
  difference: z.string().nullable(),
  /**
   * Texts that the surrounding balances skip, possibly forged. They are included above and therefore part of the
   * difference.
   */
  doubtful: sumSchema,
  /** Texts about money that another text already reported. Not included in any total. */
  duplicates: z.int().nonnegative(),
  /** Open gaps between balances that end in this day. */
  missing: z.array(z.object({ direction: z.enum(['IN', 'OUT']), amount: z.string(), from: timestamp, to: timestamp })),
  /** The first 500, by time. */
  moneyWithoutOrder: z.array(moneyWithoutOrderSchema),
});
export type ReceiverDay = z.infer<typeof receiverDaySchema>;

export const dailyCloseSchema = z.object({
  environment: environmentSchema,
  date: z.iso.date(),
  from: timestamp,
  to: timestamp,
  /** Time of the computation. Late texts change past days. */
  asOf: timestamp,
  isOver: z.boolean(),
  accounts: z.array(receiverDaySchema),
});
export type DailyClose = z.infer<typeof dailyCloseSchema>;
