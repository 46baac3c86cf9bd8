import { ROLES } from '../role';
import type { SandboxOnly } from './operation';

/** Who configures a shop and its webhooks. */
export const TESTER_ROLES = ['OWNER', 'ADMIN', 'DEVELOPER'] as const;

/** For operations that exist in SANDBOX only and whose requests name an environment. */
export const testersOf = <const Source extends SandboxOnly['environmentOf']>(environmentOf: Source) =>
  ({ kind: 'session', roles: TESTER_ROLES, sandboxOnly: { roles: TESTER_ROLES, environmentOf } }) as const;

/** For lists of SANDBOX that every role reads. */
export const SANDBOX_VIEWERS = {
  kind: 'session',
  roles: ROLES,
  sandboxOnly: { roles: ROLES, environmentOf: 'query' },
} as const;

/** Of operations with an API key. The description of those with a session contains it already. */
export const SANDBOX_ONLY = 'SANDBOX only; LIVE returns 403.';
