import { parseArgs } from 'node:util';
import { environmentSchema } from '@pay/contracts';
import { z } from 'zod';

const OPTIONS = {
  merchant: 'Id of a merchant; all of them when absent',
  environment: 'SANDBOX or LIVE; both when absent',
  head: 'An end that was published, as <position>:<link>; needs --merchant and --environment',
  since:
    'A time such as 2026-11-21T00:00:00Z; what is older and has no decision was decided before decisions were kept',
} as const;

export const HELP = [
  'Usage: node dist/apps/reconciler/cli.js verify-decisions [--option=value ...]',
  '',
  'Walks the chain of decisions of each merchant and environment from its beginning, then all money and all intents back to the chain,',
  'and names the first thing that is not as it was decided. Needs DATABASE_URL and DECISION_CHAIN_KEYS as reconciler has them. Changes nothing, and stops nobody.',
  'Exit code: 0 when all is as it was decided, 1 when something is not, 2 when it could not be looked at.',
  '',
  'Options:',
  ...Object.entries(OPTIONS).map(([name, summary]) => `  --${name.padEnd(11)}  ${summary}`),
].join('\n');

const schema = z
  .object({
    merchant: z.uuid('must be the id of a merchant, a UUID').optional(),
    environment: z.string().toUpperCase().pipe(z.enum(environmentSchema.options, 'must be SANDBOX or LIVE')).optional(),
    head: z
      .string()
      .regex(/^[1-9]\d{0,17}:[0-9a-f]{64}$/, 'must be a position, a colon and a link of 64 hex digits')
      .transform((text) => {
        const [position = '', link = ''] = text.split(':');
        return { position: BigInt(position), link };
      })
      .optional(),
    since: z.iso
      .datetime({ offset: true, error: 'must be an ISO 8601 timestamp with a time zone' })
      .transform((text) => new Date(text))
      .optional(),
  })
  .refine(
    ({ merchant, environment, head }) => head === undefined || (merchant !== undefined && environment !== undefined),
    {
      path: ['head'],
      message: 'needs --merchant and --environment',
    },
  );
export type VerifyOptions = z.infer<typeof schema>;

export class UsageError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('; '));
  }
}

/** What the words after the program's name ask for; a text when help is asked for. */
export function readVerifyOptions(words: readonly string[]): VerifyOptions | string {
  const [command, ...rest] = words;
  if (command === undefined || words.includes('--help') || command === 'help') return HELP;
  if (command !== 'verify-decisions')
    throw new UsageError([`${command.slice(0, 60)}: there is no such command; --help tells all`]);
  const result = schema.safeParse(valuesOf(rest));
  if (result.success) return result.data;
  throw new UsageError(result.error.issues.map(({ path, message }) => `--${String(path[0])} ${message}`));
}

function valuesOf(words: readonly string[]): Record<string, unknown> {
  const options = Object.fromEntries(Object.keys(OPTIONS).map((name) => [name, { type: 'string' as const }]));
  try {
    return { ...parseArgs({ args: [...words], options, strict: true, allowPositionals: false }).values };
  } catch (error) {
    throw new UsageError([error instanceof Error ? error.message : String(error)]);
  }
}
