import { z } from 'zod';

/** The problems of which a merchant is alerted. */
export const alertKindSchema = z
  .enum(['device_silent', 'exceptions_waiting', 'endpoint_failing', 'sms_missing', 'payment_doubtful'])
  .meta({ id: 'AlertKind' });
export type AlertKind = z.infer<typeof alertKindSchema>;
export const ALERT_KINDS = alertKindSchema.options;
