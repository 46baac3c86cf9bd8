import { ROLES } from '@pay/contracts';
import { failOnLeaks } from '@pay/testing';
import {
  ask,
  nothingForwarded,
  OPERATIONS,
  openShop,
  REQUESTS,
  rolesOf,
  send,
  someExceptions,
  someDeliveries,
  somePayments,
  type Shop,
} from './dashboard-under-test';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('Roles OWNER, ADMIN, REVIEWER, DEVELOPER, VIEWER', () => {
  let service: ServiceUnderTest;
  let shop: Shop;
  let otherMerchant: Shop;
  beforeAll(async () => {
    const { intentApi } = somePayments;
    const others = { intentApi, webhookDispatcher: someDeliveries, reconciler: someExceptions };
    service = await startService({ smsIngest: nothingForwarded, ...others });
    shop = await openShop(service);
    otherMerchant = await openShop(service);
  });
  afterAll(() => service.stop());

  const writesOf = async ({ merchantId }: Shop) => {
    const sql = 'select count(*)::integer as total from audit_log where merchant_id = $1';
    return (await service.db.query<{ total: number }>(sql, [merchantId]))[0]?.total;
  };
  const tokenOf = ({ people }: Shop, role: (typeof ROLES)[number]) => service.tokenOf(people[role].userId);

  it('every operation of the dashboard is tried here', () => {
    expect(Object.keys(REQUESTS).sort()).toEqual(OPERATIONS.map(({ id }) => id).sort());
  });

  describe.each(OPERATIONS.map((operation) => [operation.id, operation] as const))('%s', (_id, operation) => {
    it.each(ROLES)('lets in or turns away %s exactly as it declares', async (role) => {
      const asked = await ask(shop, operation);
      const writes = await writesOf(shop);

      const { status, body } = await send(service, operation, asked, await tokenOf(shop, role));

      if (rolesOf(operation).includes(role)) {
        expect(Object.keys(operation.answers)).toContain(String(status));
        operation.answers[status]?.body?.parse(body);
      } else {
        expect({ status, body }).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
        await expect(writesOf(shop)).resolves.toBe(writes);
      }
    });

    it('is nothing for those without a session, or with a token that somebody else signed', async () => {
      const asked = await ask(shop, operation);
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
      const asked = await ask(shop, operation);
      const writes = await writesOf(shop);

      const answer = await send(service, operation, asked, await tokenOf(otherMerchant, 'OWNER'));

      expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      await expect(writesOf(shop)).resolves.toBe(writes);
    });
  });

  it("lists hold nothing of another merchant's", async () => {
    const ids = new Set<string>();
    for (const operation of OPERATIONS.filter(({ method }) => method !== 'get')) {
      const { body } = await send(service, operation, await ask(shop, operation), await tokenOf(shop, 'OWNER'));
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
