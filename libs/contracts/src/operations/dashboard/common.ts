import { z } from 'zod';
import { ROLES, type Role } from '../../role';

export const service = 'dashboard-api';
export const params = z.object({ id: z.uuid().toLowerCase() });
export const page = 'One page, newest first.';

const sessionOf = <const Roles extends readonly Role[]>(...roles: Roles) => ({ kind: 'session', roles }) as const;
export const ANYBODY = sessionOf(...ROLES);
export const OWNERS = sessionOf('OWNER');
export const MANAGERS = sessionOf('OWNER', 'ADMIN');
export const REVIEWERS = sessionOf('OWNER', 'ADMIN', 'REVIEWER');
export const KEY_HOLDERS = sessionOf('OWNER', 'ADMIN', 'DEVELOPER');
