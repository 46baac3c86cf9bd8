import { dashboardOperations, sandboxOperations, type Operation, type Role } from '@pay/contracts';
import { environmentPermission, type FindEnvironment } from './environment-permission';

const { createApiKey, lockApiKey, listApiKeys } = dashboardOperations;
const DEVELOPER_IN_LIVE = {
  code: 'FORBIDDEN',
  message: 'In LIVE this operation requires the role OWNER or ADMIN.',
};

const inputOf = (role: Role, input: object) =>
  ({ params: { id: 'an id' }, query: {}, body: {}, ...input, res: { locals: { session: { role } } } }) as never;
const ask = (operation: Operation, role: Role, input: object, findEnvironment?: FindEnvironment) =>
  environmentPermission(operation, findEnvironment)?.(inputOf(role, input));

describe('environmentPermission', () => {
  it('refuses a role in LIVE that the operation permits in SANDBOX only', async () => {
    await expect(ask(createApiKey, 'DEVELOPER', { body: { environment: 'LIVE' } })).rejects.toMatchObject(
      DEVELOPER_IN_LIVE,
    );
    await expect(ask(createApiKey, 'DEVELOPER', { body: { environment: 'SANDBOX' } })).resolves.toBeUndefined();
    await expect(ask(createApiKey, 'ADMIN', { body: { environment: 'LIVE' } })).resolves.toBeUndefined();
  });

  it('looks up the environment of an object only for roles that it matters to', async () => {
    const asked: string[] = [];
    const findEnvironment: FindEnvironment = async (owner, id) => {
      asked.push(`${owner} ${id}`);
      return 'LIVE';
    };

    await expect(ask(lockApiKey, 'DEVELOPER', {}, findEnvironment)).rejects.toMatchObject(DEVELOPER_IN_LIVE);
    await expect(ask(lockApiKey, 'OWNER', {}, findEnvironment)).resolves.toBeUndefined();
    expect(asked).toEqual(['api_key an id']);
  });

  it('says so if an operation exists in SANDBOX only', async () => {
    await expect(ask(sandboxOperations.runSimulator, 'OWNER', { body: { environment: 'LIVE' } })).rejects.toMatchObject(
      { code: 'FORBIDDEN', message: 'This operation exists in SANDBOX only.' },
    );
  });

  it('adds nothing to an operation with the same roles in both environments', () => {
    expect(environmentPermission(listApiKeys, undefined)).toBeUndefined();
  });

  it('does not mount an operation without a look-up of its environments', () => {
    expect(() => environmentPermission(lockApiKey, undefined)).toThrow(
      'no look-up of environments is configured for operation lockApiKey',
    );
  });
});
