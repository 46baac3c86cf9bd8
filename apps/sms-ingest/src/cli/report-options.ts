import { readCommand } from '@pay/runtime';
import { z } from 'zod';

const OPTIONS = {
  since: 'Only reports of this time or later (default: 30 days ago)',
  limit: 'Maximum number of reports, newest first (default: 100)',
} as const;

export const REPORTED_EXAMPLE = 'node dist/apps/sms-ingest/cli.js reported --limit=20';

export const REPORTED_HELP = [
  'Usage: node dist/apps/sms-ingest/cli.js reported [--option=value ...]',
  '',
  'Lists SMS whose format merchants have reported, with their texts. All digits of a text are masked.',
  'Requires DATABASE_URL and SMS_ENCRYPTION_KEYS with the values of sms-ingest.',
  '',
  'Options:',
  ...Object.entries(OPTIONS).map(([name, summary]) => `  --${name.padEnd(11)}  ${summary}`),
].join('\n');

const schema = z.object({
  since: z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 timestamp such as 2026-11-21T00:00:00Z' })
    .transform((text) => new Date(text))
    .optional(),
  limit: z.coerce.number('must be a whole number').int('must be a whole number').min(1).max(10_000).default(100),
});
export type ReportedOptions = z.infer<typeof schema>;

/** The options of `reported`, or the help text. */
export function readReportedOptions(words: readonly string[]): ReportedOptions | string {
  return readCommand(words, { name: 'reported', help: REPORTED_HELP, options: schema });
}
