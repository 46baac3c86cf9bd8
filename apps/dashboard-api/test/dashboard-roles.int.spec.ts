import { isPermitted, ROLES, type Environment, type Operation, type Role } from '@pay/contracts';
import { failOnLeaks } from '@pay/testing';
import { OPERATIONS, send, type Asked } from './dashboard-requests';
import { openShop, type Answered, type Shop } from './dashboard-under-test';
import { startService, type ServiceUnderTest } from './service-under-test';
import { askIn, environmentsOf, KNOWN_IDS, OTHER_SERVICES, PUBLIC_IDS, SESSION_OPERATIONS } from './session-requests';

failOnLeaks();

describe('the table of permissions', () => {
  let service: ServiceUnderTest;
  let shop: Shop;
  let otherMerchant: Shop;
  beforeAll(async () => {
    service = await startService(OTHER_SERVICES);
    shop = await openShop(service);
    otherMerchant = await openShop(service);
  });
  afterAll(() => service.stop());

  const writesOf = async ({ merchantId }: Shop) => {
    const sql = 'select count(*)::integer as total from audit_log where merchant_id = $1';
    return (await service.db.query<{ total: number }>(sql, [merchantId]))[0]?.total;
  };
  const tokenOf = ({ people }: Shop, role: Role) => service.tokenOf(people[role].userId);

  it('contains every operation with a session, and this spec has a request for each', () => {
    expect([...KNOWN_IDS].sort()).toEqual(SESSION_OPERATIONS.map(({ id }) => id).sort());
  });

  it('leaves only log-in, invitations, hosted test endpoints and the API description without a credential', () => {
    expect([...PUBLIC_IDS].sort()).toEqual([
      ...['acceptInvitation', 'getApiDescription', 'getReferenceFile', 'getReferencePage', 'logIn'],
      ...['logInWithInvitation', 'logOut', 'receiveTestWebhook', 'refreshSession'],
    ]);
  });

  describe.each(SESSION_OPERATIONS.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
    it.each(environmentsOf(operation))('in %s answers each role as in the table', async (environment) => {
      const isOpenTo = (role: Role) => isPermitted(operation.credential, role, environment);
      const refused = await askIn(shop, operation, environment);
      const writes = await writesOf(shop);
      for (const role of ROLES.filter((each) => !isOpenTo(each))) {
        const answer = await send(service, operation, refused, await tokenOf(shop, role));
        expect({ role, ...answer }).toEqual({
          role,
          status: 403,
          body: { code: 'FORBIDDEN', message: refusalOf(operation, role, environment) },
        });
      }
      await expect(writesOf(shop)).resolves.toBe(writes);

      for (const role of ROLES.filter(isOpenTo)) {
        const asked = await askIn(shop, operation, environment);
        expectSuccess(operation, asked, role, await send(service, operation, asked, await tokenOf(shop, role)));
      }
    });

    it('is refused without a session, and with a token of another signer', async () => {
      const asked = await askIn(shop, operation, 'SANDBOX');
      const forged = `${(await tokenOf(shop, 'OWNER')).split('.').slice(0, 2).join('.')}.${'A'.repeat(43)}`;

      for (const token of [undefined, forged, 'x']) {
        await expect(send(service, operation, asked, token)).resolves.toMatchObject({
          status: 401,
          body: { code: 'UNAUTHORIZED' },
        });
      }
    });

    if (!operation.path.includes(':id')) return;
    it("another merchant's id is 404, never 403, and nothing changes", async () => {
      for (const environment of environmentsOf(operation)) {
        const asked = await askIn(shop, operation, environment);
        const writes = await writesOf(shop);

        for (const role of ROLES.filter((each) => isPermitted(operation.credential, each, 'SANDBOX'))) {
          const answer = await send(service, operation, asked, await tokenOf(otherMerchant, role));
          expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
        }
        await expect(writesOf(shop)).resolves.toBe(writes);
      }
    });
  });

  it("lists hold nothing of another merchant's", async () => {
    const ids = new Set<string>();
    for (const operation of OPERATIONS.filter(({ method }) => method !== 'get')) {
      const asked = await askIn(shop, operation, 'SANDBOX');
      const { body } = await send(service, operation, asked, await tokenOf(shop, 'OWNER'));
      if (typeof body?.id === 'string' && body.id !== shop.merchantId) ids.add(body.id);
    }

    for (const operation of OPERATIONS.filter(({ id }) => id.startsWith('list'))) {
      const { body } = await send(service, operation, {}, await tokenOf(otherMerchant, 'OWNER'));
      const text = JSON.stringify(body);
      for (const id of ids) expect(text).not.toContain(id);
    }
    expect(ids.size).toBeGreaterThan(10);
  });
});

function expectSuccess(operation: Operation, asked: Asked, role: Role, { status, body }: Answered): void {
  if (asked.refusal !== undefined) {
    expect({ role, code: body.code }).toEqual({ role, code: asked.refusal });
    return;
  }
  expect({ role, status, body, isDescribed: String(status) in operation.answers }).toMatchObject({ isDescribed: true });
  operation.answers[status]?.body?.parse(body);
}

/** The message that names the missing permission. */
function refusalOf({ credential }: Operation, role: Role, environment: Environment): string {
  const rolesIn = (where: Environment) => ROLES.filter((each) => isPermitted(credential, each, where));
  if (!isPermitted(credential, role, 'SANDBOX'))
    return `This operation requires the role ${rolesIn('SANDBOX').join(' or ')}.`;
  const roles = rolesIn(environment);
  return roles.length === 0
    ? 'This operation exists in SANDBOX only.'
    : `In LIVE this operation requires the role ${roles.join(' or ')}.`;
}
