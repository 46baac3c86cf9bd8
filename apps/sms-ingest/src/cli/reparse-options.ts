import { environmentSchema } from '@pay/contracts';
import { readCommand } from '@pay/runtime';
import { z } from 'zod';

const OPTIONS = {
  'dry-run': 'Print the changes without applying them',
  merchant: 'Id of a merchant (default: all merchants)',
  environment: 'SANDBOX or LIVE (default: both)',
  since: 'Only SMS received at this time or later, such as 2026-11-21T00:00:00Z',
  until: 'Only SMS received before this time',
  reason: 'Only SMS with this failureReason, such as unsupported_format',
  limit: 'Maximum number of SMS per merchant and environment (default: 10000)',
} as const;

export const EXAMPLE =
  'node dist/apps/sms-ingest/cli.js reparse --dry-run --environment=LIVE --since=2026-11-21T00:00:00Z';

export const HELP = [
  'Usage: node dist/apps/sms-ingest/cli.js reparse [--option=value ...]',
  '',
  'Parses UNPARSED SMS again with the current parser and receiver accounts, and prints the changes.',
  'Requires DATABASE_URL, SMS_ENCRYPTION_KEYS and, if set, *_SENDER_IDS with the values of sms-ingest. The running sms-ingest',
  'publishes the changes within about two seconds.',
  'Another command: reported --help.',
  '',
  'Options:',
  ...Object.entries(OPTIONS).map(([name, summary]) => `  --${name.padEnd(11)}  ${summary}`),
  '',
  `Example: ${EXAMPLE}`,
].join('\n');

const instant = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 timestamp such as 2026-11-21T00:00:00Z' })
  .transform((text) => new Date(text));

const schema = z.object({
  'dry-run': z.boolean().default(false),
  merchant: z.uuid('must be the UUID of a merchant, such as 01939e5c-0000-7000-8000-000000000001').optional(),
  environment: z.string().toUpperCase().pipe(z.enum(environmentSchema.options, 'must be SANDBOX or LIVE')).optional(),
  since: instant.optional(),
  until: instant.optional(),
  reason: z
    .string()
    .regex(/^[a-z_]{1,60}$/, 'must be a reason such as unsupported_format')
    .optional(),
  limit: z.coerce
    .number('must be a whole number from 1 to 1000000')
    .int('must be a whole number from 1 to 1000000')
    .min(1, 'must be a whole number from 1 to 1000000')
    .max(1_000_000, 'must be a whole number from 1 to 1000000')
    .default(10_000),
});
export type ReparseOptions = z.infer<typeof schema>;

/** The options of `reparse`, or the help text. */
export function readReparseOptions(words: readonly string[]): ReparseOptions | string {
  return readCommand(words, { name: 'reparse', help: HELP, options: schema });
}
