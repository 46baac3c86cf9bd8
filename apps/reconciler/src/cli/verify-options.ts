import { tenantOptions } from '@pay/directory';
import { instantOption } from '@pay/runtime';
import { z } from 'zod';

const options = z
  .object({
    ...tenantOptions,
    head: z
      .string()
      .regex(/^[1-9]\d{0,17}:[0-9a-f]{64}$/, 'must be <position>:<link> with a link of 64 hexadecimal digits')
      .transform((text) => {
        const [position = '', link = ''] = text.split(':');
        return { position: BigInt(position), link };
      })
      .optional()
      .describe('A published chain head as <position>:<link>; requires --merchant and --environment'),
    since: instantOption
      .optional()
      .describe(
        'Time such as 2026-11-21T00:00:00Z at which decision records began; older payments without a decision are accepted',
      ),
  })
  .refine(
    ({ merchant, environment, head }) => head === undefined || (merchant !== undefined && environment !== undefined),
    {
      path: ['head'],
      message: 'requires --merchant and --environment',
    },
  );
export type VerifyOptions = z.infer<typeof options>;

const program = 'node dist/apps/reconciler/cli.js';

export const verifyCommand = {
  program,
  name: 'verify-decisions',
  summary:
    'Verifies the decision chain of each merchant and environment from its start, compares all evidence and intents with it, and prints\n' +
    'the first difference',
  options,
  example: `${program} verify-decisions --environment=LIVE --merchant=01939e5c-0000-7000-8000-000000000001`,
  notes: [
    'Requires DATABASE_URL and DECISION_CHAIN_KEYS with the values of reconciler. Reads only and takes no locks.',
    'Exit code: 0 if everything matches, 1 if a difference was found, 2 if the check could not run.',
  ].join('\n'),
};
