import { environmentSchema, type Environment, type Tenant } from '@pay/contracts';
import { z } from 'zod';

const ENVIRONMENTS: readonly Environment[] = ['LIVE', 'SANDBOX'];

/** Options of a command-line program. */
export const tenantOptions = {
  merchant: z
    .uuid('must be the UUID of a merchant, such as 01939e5c-0000-7000-8000-000000000001')
    .optional()
    .describe('Id of a merchant (default: all merchants)'),
  environment: z
    .string()
    .toUpperCase()
    .pipe(z.enum(environmentSchema.options, 'must be SANDBOX or LIVE'))
    .optional()
    .describe('SANDBOX or LIVE (default: both)'),
};

interface TenantChoice {
  readonly merchant?: string | undefined;
  readonly environment?: Environment | undefined;
}

/** The tenants for which a command-line program runs: those of a merchant, or all that `next` finds in order. */
export async function* chosenTenants(
  { merchant, environment }: TenantChoice,
  next: (last: Tenant | undefined) => Promise<Tenant | undefined>,
): AsyncGenerator<Tenant> {
  const isChosen = (tenant: Tenant) => environment === undefined || tenant.environment === environment;
  if (merchant !== undefined) {
    yield* ENVIRONMENTS.map((each) => ({ merchantId: merchant, environment: each })).filter(isChosen);
    return;
  }
  for (let last = await next(undefined); last !== undefined; last = await next(last)) if (isChosen(last)) yield last;
}
