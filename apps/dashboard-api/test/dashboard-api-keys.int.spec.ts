import { isWellFormedCredential, type Directory } from '@pay/directory';
import { eventually, failOnLeaks } from '@pay/testing';
import { draft } from '@pay/messaging';
import { startCopy, type CopyOfDirectory } from './copy-of-directory';
import { anApiKey, openShop, type Shop } from './dashboard-under-test';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('API keys: several per environment; name, expiry, last use, lock, revoke, rotate with overlap', () => {
  let service: ServiceUnderTest;
  let copy: CopyOfDirectory;
  let shop: Shop;
  beforeAll(async () => {
    service = await startService();
    copy = await startCopy(service.namespace);
    shop = await openShop(service);
  });
  afterAll(async () => {
    await copy.stop();
    await service.stop();
  });

  const KEYS = '/v1/dashboard/api-keys';
  const issue = async (body: object = {}) =>
    (await shop.people.OWNER.post(KEYS, { environment: 'SANDBOX', name: 'Shop', ...body })).body;
  const find = (key: string): ReturnType<Directory['findApiKey']> => copy.directory.findApiKey(key);
  const works = (key: string) => eventually(async () => (await find(key)) !== undefined, 'the key works elsewhere');
  const ends = (key: string) => eventually(async () => (await find(key)) === undefined, 'the key has ended elsewhere');

  it.each([
    ['SANDBOX', /^sk_test_[0-9A-Za-z]{38}$/],
    ['LIVE', /^sk_live_[0-9A-Za-z]{38}$/],
  ])('a key of %s is shown once; afterwards its beginning and its last four characters', async (environment, form) => {
    const issued = await issue({ environment });

    const { apiKey, ...rest } = issued;
    expect(apiKey).toMatch(form);
    expect(isWellFormedCredential(apiKey)).toBe(true);
    expect(rest).toMatchObject({
      environment,
      name: 'Shop',
      state: 'ACTIVE',
      expiresAt: null,
      lastUsedAt: null,
      version: 1,
      prefix: apiKey.slice(0, 8),
      lastFour: apiKey.slice(-4),
      scopes: ['payments:read', 'payments:write', 'webhooks:read', 'webhooks:write'],
    });
    await expect(shop.people.OWNER.get(`${KEYS}/${issued.id}`)).resolves.toEqual({ status: 200, body: rest });
    const list = await shop.people.OWNER.get(`${KEYS}?environment=${environment}&limit=100`);
    expect(list.body.data).toContainEqual(rest);
    expect(JSON.stringify(list.body)).not.toMatch(/keyHash|apiKey/);
    const kept = await service.db.query(
      `select (select string_agg(k::text, '') from api_keys k) || (select string_agg(body, '') from outbox)
           || (select string_agg(a::text, '') from audit_log a) as text`,
    );
    expect(kept[0]?.['text']).not.toContain(apiKey);
    expect(service.lines.join('')).not.toContain(apiKey);
    await works(apiKey);
  });

  it.each<[string, object, string]>([
    ['no environment', { environment: undefined }, 'environment is required and must be SANDBOX or LIVE'],
    [
      'an environment that does not exist',
      { environment: 'TEST' },
      'environment is required and must be SANDBOX or LIVE',
    ],
    ['an empty name', { name: ' ' }, 'name must not be empty'],
    ['a long name', { name: 'x'.repeat(121) }, 'name must be at most 120 characters'],
    ['no scope', { scopes: [] }, 'scopes must not be empty'],
    ['a scope that does not exist', { scopes: ['payments:refund'] }, 'scopes must contain only payments:read'],
    ['an expiry without a time zone', { expiresAt: '2030-01-01T00:00:00' }, 'expiresAt must be an ISO 8601 timestamp'],
  ])('%s is answered 400', async (_name, change, sentence) => {
    const answer = await shop.people.OWNER.post(KEYS, { environment: 'SANDBOX', name: 'Shop', ...change });

    expect(answer).toMatchObject({ status: 400, body: { error: 'Bad Request' } });
    expect(answer.body.message).toEqual([expect.stringContaining(sentence)]);
  });

  it('an expiry in the past is answered 409', async () => {
    const body = { environment: 'SANDBOX', name: 'Shop', expiresAt: '2020-01-01T00:00:00Z' };

    expect(await shop.people.OWNER.post(KEYS, body)).toMatchObject({
      status: 409,
      body: { code: 'TIME_OUT_OF_RANGE', message: 'expiresAt: the expiry must be in the future' },
    });
  });

  it('an expiry and scopes are kept, and reach the services', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();

    const { apiKey } = await issue({ expiresAt, scopes: ['webhooks:read', 'payments:read', 'payments:read'] });

    await works(apiKey);
    await expect(find(apiKey)).resolves.toMatchObject({ expiresAt, scopes: ['payments:read', 'webhooks:read'] });
  });

  it('a locked key stops everywhere and works again when unlocked; a revoked one never does', async () => {
    const { id, apiKey } = await issue();
    await works(apiKey);

    await expect(shop.people.OWNER.post(`${KEYS}/${id}/lock`)).resolves.toMatchObject({ body: { state: 'LOCKED' } });
    await ends(apiKey);
    await expect(shop.people.OWNER.post(`${KEYS}/${id}/unlock`)).resolves.toMatchObject({ body: { state: 'ACTIVE' } });
    await works(apiKey);
    const revoked = await shop.people.OWNER.post(`${KEYS}/${id}/revoke`);
    await ends(apiKey);

    expect(revoked.body).toMatchObject({ state: 'REVOKED', version: 4 });
    await expect(shop.people.OWNER.post(`${KEYS}/${id}/revoke`)).resolves.toEqual({ status: 200, body: revoked.body });
    for (const move of ['lock', 'unlock', 'rotate']) {
      await expect(shop.people.OWNER.post(`${KEYS}/${id}/${move}`, {})).resolves.toMatchObject({
        status: 409,
        body: { code: 'API_KEY_NOT_ACTIVE' },
      });
    }
    await expect(shop.people.OWNER.patch(`${KEYS}/${id}`, { name: 'Again' })).resolves.toMatchObject({ status: 409 });
    await expect(find(apiKey)).resolves.toBeUndefined();
  });

  describe('rotation', () => {
    it('returns a new key with the same name and scopes immediately; the old one works until the end of the overlap', async () => {
      const old = await issue({ name: 'Till', scopes: ['payments:read'] });
      await works(old.apiKey);

      const before = Date.now();
      const { status, body } = await shop.people.OWNER.post(`${KEYS}/${old.id}/rotate`, { overlapSeconds: 2 });
      const after = Date.now();

      expect(status).toBe(201);
      expect(body).toMatchObject({ name: 'Till', scopes: ['payments:read'], state: 'ACTIVE', version: 1 });
      expect(body.apiKey).not.toBe(old.apiKey);
      expect(body.replaced).toMatchObject({ id: old.id, state: 'ACTIVE', version: 2 });
      const end = Date.parse(body.replaced.expiresAt);
      expect(end).toBeGreaterThanOrEqual(before + 2_000);
      expect(end).toBeLessThanOrEqual(after + 2_000);
      await works(body.apiKey);
      await eventually(async () => {
        const fact = await find(old.apiKey);
        return fact === undefined || fact.expiresAt !== null;
      }, 'the end of the old key is known elsewhere');
      await ends(old.apiKey);
      expect(Date.now()).toBeGreaterThanOrEqual(end);
      await expect(find(body.apiKey)).resolves.toBeDefined();
    });

    it('has an overlap of a day by default, never longer than the old key was valid, at most a week', async () => {
      const [plain, ending] = [await issue(), await issue({ expiresAt: new Date(Date.now() + 60_000).toISOString() })];

      const first = await shop.people.OWNER.post(`${KEYS}/${plain.id}/rotate`, {});
      const second = await shop.people.OWNER.post(`${KEYS}/${ending.id}/rotate`, { overlapSeconds: 604_800 });
      const third = await shop.people.OWNER.post(`${KEYS}/${first.body.id}/rotate`, { overlapSeconds: 604_801 });

      const day = Date.parse(first.body.replaced.expiresAt) - Date.now();
      expect(day).toBeGreaterThan(86_300_000);
      expect(day).toBeLessThanOrEqual(86_400_000);
      expect(second.body.replaced.expiresAt).toBe(ending.expiresAt);
      expect(third).toMatchObject({ status: 400, body: { message: ['overlapSeconds must be at most 604800'] } });
    });

    it('revokes the old key without an overlap, whatever the clocks of other services', async () => {
      const old = await issue();
      await works(old.apiKey);

      const { body } = await shop.people.OWNER.post(`${KEYS}/${old.id}/rotate`, { overlapSeconds: 0 });

      expect(body.replaced).toMatchObject({ state: 'REVOKED', expiresAt: null });
      await ends(old.apiKey);
      await works(body.apiKey);
    });

    it('a locked key is not rotated', async () => {
      const { id } = await issue();
      await shop.people.OWNER.post(`${KEYS}/${id}/lock`);

      await expect(shop.people.OWNER.post(`${KEYS}/${id}/rotate`, {})).resolves.toMatchObject({
        status: 409,
        body: { code: 'API_KEY_NOT_ACTIVE' },
      });
    });
  });

  it('a DEVELOPER works with keys of SANDBOX and never with those of LIVE', async () => {
    const { DEVELOPER } = shop.people;
    const live = await anApiKey(shop, 'LIVE');

    const refused = [
      await DEVELOPER.post(KEYS, { environment: 'LIVE', name: 'Shop' }),
      await DEVELOPER.patch(`${KEYS}/${live}`, { name: 'Mine' }),
      ...(await Promise.all(
        ['lock', 'unlock', 'revoke', 'rotate'].map((move) => DEVELOPER.post(`${KEYS}/${live}/${move}`, {})),
      )),
    ];

    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(refused.map(() => [403, 'FORBIDDEN']));
    await expect(DEVELOPER.get(`${KEYS}/${live}`)).resolves.toMatchObject({ status: 200, body: { version: 1 } });
    await expect(DEVELOPER.post(KEYS, { environment: 'SANDBOX', name: 'Shop' })).resolves.toMatchObject({
      status: 201,
    });
  });

  it('the last use is shown as the services report it; older news never wins, and nothing is versioned or audited', async () => {
    const [{ id }, { id: other }] = [await issue(), await issue()];
    const report = (...uses: { apiKeyId: string; usedAt: string }[]) => {
      const about = { environment: null, merchantId: null, aggregateId: 'intent-api', sequence: 0 };
      const event = draft('api_key.used', { ...about, data: { uses }, occurredAt: new Date() });
      return copy.db.transaction((tx) => copy.messaging.publish(tx, [event]));
    };
    const lastUsedAt = async (of: string) =>
      (await shop.people.OWNER.get(`${KEYS}/${of}`)).body.lastUsedAt as string | null;

    await report({ apiKeyId: id, usedAt: '2026-11-21T10:00:05Z' }, { apiKeyId: id, usedAt: '2026-11-21T10:00:01Z' });
    await eventually(async () => (await lastUsedAt(id)) !== null, 'the use is known');
    await report({ apiKeyId: id, usedAt: '2026-11-21T09:00:00Z' }, { apiKeyId: other, usedAt: '2026-11-21T09:00:00Z' });
    await eventually(async () => (await lastUsedAt(other)) !== null, 'the older news has come');

    await expect(lastUsedAt(id)).resolves.toBe('2026-11-21T10:00:05.000Z');
    expect(await service.audited(id)).toHaveLength(1);
    expect(await service.announced(id)).toHaveLength(1);
  });
});

describe('API keys of one merchant and environment, here at most 3', () => {
  let service: ServiceUnderTest;
  let shop: Shop;
  beforeAll(async () => {
    service = await startService({ mostApiKeys: 3 });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    shop = await openShop(service);
  });

  const KEYS = '/v1/dashboard/api-keys';
  const issue = (environment = 'SANDBOX') => shop.people.OWNER.post(KEYS, { environment, name: 'Shop' });

  it('is limited in number per environment, also for concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => issue()));

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ body }) => body.code === 'API_KEY_LIMIT_REACHED')).toHaveLength(5);
    await expect(issue('LIVE')).resolves.toMatchObject({ status: 201 });
  });

  it('a revoked key makes room, a locked one does not', async () => {
    const [one, other] = [(await issue()).body, (await issue()).body];
    await issue();
    await shop.people.OWNER.post(`${KEYS}/${one.id}/lock`);
    await expect(issue()).resolves.toMatchObject({ status: 409 });

    await shop.people.OWNER.post(`${KEYS}/${other.id}/revoke`);

    await expect(issue()).resolves.toMatchObject({ status: 201 });
  });

  it('a key can be rotated at the limit, and rotations do not add up', async () => {
    const keys = [(await issue()).body, (await issue()).body, (await issue()).body];
    const rotate = (id: string) => shop.people.OWNER.post(`${KEYS}/${id}/rotate`, {});

    const first = await rotate(keys[0].id);
    const second = await rotate(keys[1].id);

    expect(first.status).toBe(201);
    expect(second).toMatchObject({ status: 409, body: { code: 'API_KEY_LIMIT_REACHED' } });
  });
});
