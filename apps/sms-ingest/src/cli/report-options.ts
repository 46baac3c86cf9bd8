import { instantOption } from '@pay/runtime';
import { z } from 'zod';
import { PROGRAM } from './program';

const options = z.object({
  since: instantOption.optional().describe('Only reports of this time or later (default: 30 days ago)'),
  limit: z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(1)
    .max(10_000)
    .default(100)
    .describe('Maximum number of reports, newest first'),
});
export type ReportedOptions = z.infer<typeof options>;

export const reportedCommand = {
  program: PROGRAM,
  name: 'reported',
  summary: 'Lists SMS whose format merchants have reported, with their texts. All digits of a text are masked',
  options,
  example: `${PROGRAM} reported --limit=20`,
  notes: 'Requires DATABASE_URL and SMS_ENCRYPTION_KEYS with the values of sms-ingest.',
};
