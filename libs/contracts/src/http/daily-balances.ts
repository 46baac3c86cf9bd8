import { z } from 'zod';
import { environmentSchema } from '../environment';
import { paymentMethodSchema } from '../payment-method';
import { timestamp, uuidText } from './request-fields';
import { dhakaDate } from './request-values';

export const MOST_DAYS_OF_BALANCES = 31;
const DAYS_ERROR = `days must be a whole number from 1 to ${MOST_DAYS_OF_BALANCES}`;

/** Query of GET /v1/dashboard/daily-balances. */
export const dailyBalancesQuerySchema = z.object({
  environment: z.enum(environmentSchema.options, { error: 'environment must be SANDBOX or LIVE' }),
  until: dhakaDate('until', 'The last day in Asia/Dhaka, between 1970 and 2099.'),
  days: z
    .string({ error: DAYS_ERROR })
    .regex(/^(?:[1-9]|[12]\d|3[01])$/, DAYS_ERROR)
    .transform(Number)
    .default(14)
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: MOST_DAYS_OF_BALANCES,
      default: 14,
      description: 'Number of days, the last one included.',
    }),
  receiverAccountId: uuidText('receiverAccountId').optional(),
});

/** Query of sms-ingest's `GET /internal/v1/daily-balances`: the same with the tenant. */
export const internalDailyBalancesQuerySchema = dailyBalancesQuerySchema.extend({ merchantId: z.uuid() });
export type InternalDailyBalancesQuery = z.infer<typeof internalDailyBalancesQuerySchema>;

export const dailyBalancesSchema = z.object({
  environment: environmentSchema,
  /** Time of the computation. Late texts change past days. */
  asOf: timestamp,
  accounts: z.array(
    z.object({
      receiverAccountId: z.uuid(),
      paymentMethod: paymentMethodSchema,
      receiverMsisdn: z.string(),
      days: z
        .array(
          z.object({
            date: z.iso.date(),
            closingBalance: z
              .string()
              .nullable()
              .describe('Null while no SMS up to the end of the day shows a balance.'),
          }),
        )
        .describe('Each day once, oldest first.'),
    }),
  ),
});
export type DailyBalances = z.infer<typeof dailyBalancesSchema>;
