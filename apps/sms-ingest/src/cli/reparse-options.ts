import { tenantOptions } from '@pay/directory';
import { instantOption } from '@pay/runtime';
import { z } from 'zod';
import { PROGRAM } from './program';

const options = z.object({
  'dry-run': z.boolean().default(false).describe('Print the changes without applying them'),
  ...tenantOptions,
  since: instantOption.optional().describe('Only SMS received at this time or later, such as 2026-11-21T00:00:00Z'),
  until: instantOption.optional().describe('Only SMS received before this time'),
  reason: z
    .string()
    .regex(/^[a-z_]{1,60}$/, 'must be a reason such as unsupported_format')
    .optional()
    .describe('Only SMS with this failureReason, such as unsupported_format'),
  limit: z.coerce
    .number('must be a whole number from 1 to 1000000')
    .int('must be a whole number from 1 to 1000000')
    .min(1, 'must be a whole number from 1 to 1000000')
    .max(1_000_000, 'must be a whole number from 1 to 1000000')
    .default(10_000)
    .describe('Maximum number of SMS per merchant and environment'),
});
export type ReparseOptions = z.infer<typeof options>;

export const reparseCommand = {
  program: PROGRAM,
  name: 'reparse',
  summary: 'Parses UNPARSED SMS again with the current parser and receiver accounts, and prints the changes',
  options,
  example: `${PROGRAM} reparse --dry-run --environment=LIVE --since=2026-11-21T00:00:00Z`,
  notes: [
    'Requires DATABASE_URL, SMS_ENCRYPTION_KEYS and, if set, *_SENDER_IDS with the values of sms-ingest. The running sms-ingest',
    'publishes the changes within about two seconds.',
    'Another command: reported --help.',
  ].join('\n'),
};
