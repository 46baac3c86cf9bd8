import type { ErrorCode, Role } from '@pay/contracts';

export interface Manager {
  readonly userId: string;
  readonly role: Role;
}

interface Person {
  readonly id: string;
  readonly role: Role;
  readonly isActive: boolean;
}

export type UserChange = { readonly role: Role } | { readonly isActive: boolean };

export const INVITATION_DAYS = 7;

export function mayManage(role: Role): boolean {
  return role === 'OWNER' || role === 'ADMIN';
}

/** Reviews of doubtful payments are decisions about money. */
export function mayDecide(role: Role): boolean {
  return mayManage(role) || role === 'REVIEWER';
}

/** Only an OWNER may create or change an OWNER, because an OWNER may do everything. */
export function maySetRole(manager: Pick<Manager, 'role'>, role: Role): boolean {
  return manager.role === 'OWNER' || role !== 'OWNER';
}

/** An open invitation becomes invalid when its inviter loses this permission. */
export function mayInvite(person: Pick<Person, 'role' | 'isActive'>, role: Role): boolean {
  return person.isActive && mayManage(person.role) && maySetRole(person, role);
}

/** Undefined if the change is allowed. `otherOwners` counts active ones. */
export function refusalOf(
  manager: Manager,
  person: Person,
  change: UserChange,
  otherOwners: number,
): Extract<ErrorCode, 'FORBIDDEN' | 'LAST_OWNER'> | undefined {
  if ('role' in change && manager.userId === person.id) return 'FORBIDDEN';
  if (!maySetRole(manager, person.role) || ('role' in change && !maySetRole(manager, change.role))) return 'FORBIDDEN';
  const after = { ...person, ...change };
  const staysOwner = after.role === 'OWNER' && after.isActive;
  const isOwner = person.role === 'OWNER' && person.isActive;
  return isOwner && !staysOwner && otherOwners === 0 ? 'LAST_OWNER' : undefined;
}
