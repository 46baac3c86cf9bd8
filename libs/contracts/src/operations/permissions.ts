import type { Environment } from '../environment';
import type { Role } from '../role';
import type { Operation, OperationCredential } from './operation';

/** Roles that may call an operation in this environment; none for an operation that needs no session. */
export function rolesIn(credential: OperationCredential, environment: Environment): readonly Role[] {
  if (credential.kind !== 'session') return [];
  const { roles, sandboxOnly } = credential;
  return environment === 'SANDBOX' ? roles : roles.filter((role) => !sandboxOnly?.roles.includes(role));
}

export function isPermitted(credential: OperationCredential, role: Role, environment: Environment): boolean {
  return rolesIn(credential, environment).includes(role);
}

/** The part of an operation that a page needs: how to call it, and the roles that are permitted in each environment. */
export interface DescribedOperation {
  readonly method: string;
  readonly path: string;
  readonly roles: Readonly<Record<Environment, readonly Role[]>>;
}

/** The operations of a service by id, without their schemas, which browsers do not need. */
export function permissionTable(operations: readonly Operation[]): Readonly<Record<string, DescribedOperation>> {
  return Object.fromEntries(
    operations.map(({ id, method, path, credential }) => [
      id,
      { method, path, roles: { SANDBOX: rolesIn(credential, 'SANDBOX'), LIVE: rolesIn(credential, 'LIVE') } },
    ]),
  );
}
