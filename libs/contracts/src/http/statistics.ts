import { z } from 'zod';
import { paymentMethodSchema } from '../payment-method';
import { intentStatusSchema } from '../status';
import { environmentOrSandbox } from './request-fields';

/** Query of the statistics of GET /v1/dashboard/statistics/*. */
export const statisticsQuerySchema = z.object({
  environment: environmentOrSandbox.describe('SANDBOX and LIVE are never counted together. Default: SANDBOX.'),
});

/** The same with the merchant: query of the internal routes of the services that own the numbers. */
export const internalStatisticsQuerySchema = statisticsQuerySchema.extend({ merchantId: z.uuid() });

const number = z.int().nonnegative();

const dayOfPaymentsSchema = z.object({
  date: z.iso.date().describe('A day of Asia/Dhaka.'),
  hours: z
    .array(
      z.object({ hour: z.int().min(0).max(23), paymentMethod: paymentMethodSchema, intents: number, paid: number }),
    )
    .describe(
      'Intents by the hour of their creation (Asia/Dhaka), and how many of them are PAID now. Hours without intents are omitted.',
    ),
  received: z
    .array(z.object({ paymentMethod: paymentMethodSchema, amount: z.string(), payments: number }))
    .describe(
      'Amounts that were received on this day by the time in their SMS, by the method of the receiver account. ' +
        'A payment that is approved later changes its past day.',
    ),
});
export type DayOfPayments = z.infer<typeof dayOfPaymentsSchema>;

/** GET /v1/dashboard/statistics/payments */
export const paymentStatisticsSchema = z
  .object({
    asOf: z.iso.datetime(),
    today: dayOfPaymentsSchema,
    weekBefore: dayOfPaymentsSchema.describe('The same weekday of the week before, the whole day.'),
    intents: z.partialRecord(intentStatusSchema, number).describe('All intents by status.'),
  })
  .meta({ id: 'PaymentStatistics' });
export type PaymentStatistics = z.infer<typeof paymentStatisticsSchema>;

/** GET /v1/dashboard/statistics/decisions */
export const decisionStatisticsSchema = z
  .object({
    since: z.iso.datetime().nullable().describe('Time of the earliest decision that is included.'),
    payments: number.describe('Paid intents among the latest 1,000 decisions.'),
    byPeople: number.describe('Those of them that a person approved or linked.'),
    secondsFromSms: z
      .object({ median: z.number().nonnegative(), p95: z.number().nonnegative() })
      .nullable()
      .describe('From the arrival of the SMS to the decision, of payments by reference without a person.'),
  })
  .meta({ id: 'DecisionStatistics' });
export type DecisionStatistics = z.infer<typeof decisionStatisticsSchema>;

/** GET /v1/dashboard/statistics/webhooks */
export const webhookStatisticsSchema = z
  .object({
    endpoints: number,
    unverified: number.describe('Active endpoints without a verification.'),
    failing: number.describe('Active endpoints whose latest deliveries failed.'),
    disabled: number,
    waiting: number.describe('Deliveries that are not delivered yet.'),
    failed: number.describe('Deliveries that ended without success.'),
  })
  .meta({ id: 'WebhookStatistics' });
export type WebhookStatistics = z.infer<typeof webhookStatisticsSchema>;
