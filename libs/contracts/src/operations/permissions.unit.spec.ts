import { isPermitted, OPERATIONS, permissionTable, ROLES, type Operation } from '../index';

const SESSION_OPERATIONS = OPERATIONS.filter(({ credential }) => credential.kind === 'session');
const shapeOf = (schema: unknown) => Object.keys((schema as { shape?: object } | undefined)?.shape ?? {});

describe('the table of permissions', () => {
  it.each(SESSION_OPERATIONS.map((operation) => [operation.id, operation] as const))(
    '%s is open to OWNER, and its exceptions for SANDBOX can be decided',
    (_id, operation) => {
      const { credential } = operation;
      if (credential.kind !== 'session') throw new TypeError('not of a session');
      const { roles, sandboxOnly } = credential;

      expect(isPermitted(credential, 'OWNER', 'SANDBOX')).toBe(true);
      expect(new Set(roles).size).toBe(roles.length);
      if (sandboxOnly === undefined) return;
      expect(roles).toEqual(expect.arrayContaining([...sandboxOnly.roles]));
      expect(environmentIsKnown(operation, sandboxOnly.environmentOf)).toBe(true);
    },
  );

  it('has a row for each role and environment, and none for operations with another credential', () => {
    const { createApiKey, runSimulator, logIn, createPaymentIntent } = permissionTable(OPERATIONS);

    expect(createApiKey?.roles).toEqual({ SANDBOX: ['OWNER', 'ADMIN', 'DEVELOPER'], LIVE: ['OWNER', 'ADMIN'] });
    expect(runSimulator?.roles).toEqual({ SANDBOX: ['OWNER', 'ADMIN', 'DEVELOPER'], LIVE: [] });
    for (const other of [logIn, createPaymentIntent]) expect(other?.roles).toEqual({ SANDBOX: [], LIVE: [] });
    for (const role of ROLES) expect(isPermitted({ kind: 'none' }, role, 'SANDBOX')).toBe(false);
  });
});

function environmentIsKnown({ path, query, body, describedBody }: Operation, from: string): boolean {
  if (from === 'query') return shapeOf(query).includes('environment');
  if (from !== 'body') return path.includes('/:id');
  const options = (describedBody as { options?: readonly unknown[] } | undefined)?.options ?? [body];
  return options.every((option) => shapeOf(option).includes('environment'));
}
