import { ROLES, type Role } from '../../role';
import { operations, type SandboxOnly } from '../operation';

/** Operations of one section of the description. */
export const section = <const Tag extends string>(tag: Tag) => operations({ service: 'dashboard-api', tag });

export const page = 'One page, newest first.';

const sessionOf = <const Roles extends readonly Role[]>(...roles: Roles) => ({ kind: 'session', roles }) as const;
export const ANYBODY = sessionOf(...ROLES);
export const OWNERS = sessionOf('OWNER');
export const MANAGERS = sessionOf('OWNER', 'ADMIN');
export const REVIEWERS = sessionOf('OWNER', 'ADMIN', 'REVIEWER');
export const KEY_HOLDERS = sessionOf('OWNER', 'ADMIN', 'DEVELOPER');

/**
 * A developer of the shop needs keys, endpoints and hooks for tests; operations that move money require the people who
 * answer for the shop.
 */
export const keyHoldersOf = <const Source extends SandboxOnly['environmentOf']>(environmentOf: Source) =>
  ({ ...KEY_HOLDERS, sandboxOnly: { roles: ['DEVELOPER'], environmentOf } }) as const;
