import { failOnLeaks } from '@pay/testing';
import { call, openShop, type Shop } from './dashboard-under-test';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

const PATH = '/v1/dashboard/users';

describe('the limit of requests per user', () => {
  let service: ServiceUnderTest;
  let shop: Shop;
  beforeAll(async () => {
    service = await startService({ requestsPerUser: 1, withoutTestRuns: true });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    shop = await openShop(service);
  });

  const many = (ask: () => Promise<{ status: number }>) =>
    Promise.all(Array.from({ length: 40 }, async () => (await ask()).status));

  it.each([PATH, '/v1/auth/sessions', '/v1/sandbox/test-cases'])('applies to GET %s', async (path) => {
    const statuses = await many(() => shop.people.DEVELOPER.get(path));

    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });

  it('is shared by the sessions of a user, and not by other users of the merchant', async () => {
    const { OWNER, VIEWER } = shop.people;
    const another = await service.tokenOf(OWNER.userId);

    const first = many(() => OWNER.get(PATH));
    const second = many(() => call(service.url + PATH, 'GET', another));
    const accepted = [...(await first), ...(await second)].filter((status) => status === 200).length;

    // One request in total at the beginning, and another after each second.
    expect(accepted).toBeLessThan(40);
    expect((await VIEWER.get(PATH)).status).toBe(200);
  });

  it('is answered with RATE_LIMITED and the seconds to wait', async () => {
    const headers = { authorization: `Bearer ${await service.tokenOf(shop.people.OWNER.userId)}` };
    const answers = await Promise.all(Array.from({ length: 40 }, () => fetch(service.url + PATH, { headers })));
    const bodies = await Promise.all(answers.map((answer) => answer.json()));

    const refused = answers.findIndex(({ status }) => status === 429);
    expect(bodies[refused]).toMatchObject({ code: 'RATE_LIMITED' });
    expect(answers[refused]?.headers.get('retry-after')).toBe('1');
  });
});
