import type { Environment, Tenant } from '@pay/contracts';

const ENVIRONMENTS: readonly Environment[] = ['LIVE', 'SANDBOX'];

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
