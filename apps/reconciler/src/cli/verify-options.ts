import { environmentSchema } from '@pay/contracts';
import { readCommand } from '@pay/runtime';
import { z } from 'zod';

const OPTIONS = {
  merchant: 'Id of a merchant (default: all merchants)',
  environment: 'SANDBOX or LIVE (default: both)',
  head: 'A published chain head as <position>:<link>; requires --merchant and --environment',
  since:
    'Time such as 2026-11-21T00:00:00Z at which decision records began; older payments without a decision are accepted',
} as const;

export const EXAMPLE =
  'node dist/apps/reconciler/cli.js verify-decisions --environment=LIVE --merchant=01939e5c-0000-7000-8000-000000000001';

export const HELP = [
  'Usage: node dist/apps/reconciler/cli.js verify-decisions [--option=value ...]',
  '',
  'Verifies the decision chain of each merchant and environment from its start, compares all evidence and intents with it, and prints',
  'the first difference. Requires DATABASE_URL and DECISION_CHAIN_KEYS with the values of reconciler. Reads only and takes no locks.',
  'Exit code: 0 if everything matches, 1 if a difference was found, 2 if the check could not run.',
  '',
  'Options:',
  ...Object.entries(OPTIONS).map(([name, summary]) => `  --${name.padEnd(11)}  ${summary}`),
  '',
  `Example: ${EXAMPLE}`,
].join('\n');

const schema = z
  .object({
    merchant: z.uuid('must be the UUID of a merchant, such as 01939e5c-0000-7000-8000-000000000001').optional(),
    environment: z.string().toUpperCase().pipe(z.enum(environmentSchema.options, 'must be SANDBOX or LIVE')).optional(),
    head: z
      .string()
      .regex(/^[1-9]\d{0,17}:[0-9a-f]{64}$/, 'must be <position>:<link> with a link of 64 hexadecimal digits')
      .transform((text) => {
        const [position = '', link = ''] = text.split(':');
        return { position: BigInt(position), link };
      })
      .optional(),
    since: z.iso
      .datetime({ offset: true, error: 'must be an ISO 8601 timestamp with a time zone, such as 2026-11-21T00:00:00Z' })
      .transform((text) => new Date(text))
      .optional(),
  })
  .refine(
    ({ merchant, environment, head }) => head === undefined || (merchant !== undefined && environment !== undefined),
    {
      path: ['head'],
      message: 'requires --merchant and --environment',
    },
  );
export type VerifyOptions = z.infer<typeof schema>;

/** Parses the arguments; returns the help text if it is requested. */
export function readVerifyOptions(words: readonly string[]): VerifyOptions | string {
  return readCommand(words, { name: 'verify-decisions', help: HELP, options: schema });
}
