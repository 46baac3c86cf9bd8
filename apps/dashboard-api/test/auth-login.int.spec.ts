import { hash } from '@node-rs/argon2';
import { failOnLeaks } from '@pay/testing';
import { parseCommandLine } from '../src/cli/parse-command-line';
import { changeMerchant } from '../src/merchants/change-merchant';
import { tables } from '../src/db/tables';
import { changed } from '../src/domain/records';
import { storeChange } from '../src/changes/store-change';
import { aPerson, Browser, loggedIn, type Person } from './people';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());

describe('login', () => {
  let service: ServiceUnderTest;
  const verified: (string | undefined)[] = [];
  beforeAll(async () => {
    service = await startService({
      signIn: ({ isPassword }) => ({
        isPassword: (passwordHash, password, owner) => {
          verified.push(passwordHash);
          return isPassword(passwordHash, password, owner);
        },
      }),
    });
  });
  afterAll(() => service.stop());

  const wrong = (person: Pick<Person, 'email'>) =>
    new Browser(service).logIn({ ...person, password: 'not the password' });
  const actionsOf = async (person: Person) => (await service.audited(person.userId)).map(({ action }) => action);

  it('answers {accessToken, expiresIn, user} and sets the refresh token as an HttpOnly cookie', async () => {
    const person = await aPerson(service, { role: 'REVIEWER' });
    const browser = new Browser(service);

    const { status, body, headers } = await browser.logIn({ ...person, email: person.email.toUpperCase() });

    expect(status).toBe(200);
    expect(body).toEqual({
      accessToken: expect.any(String),
      expiresIn: 900,
      user: {
        id: person.userId,
        email: person.email,
        name: 'Rahim',
        role: 'REVIEWER',
        twoFactorEnabled: false,
        merchant: { id: person.merchantId, name: 'Boi Bazar' },
      },
    });
    const [cookie, ...attributes] = headers.getSetCookie()[0]!.split('; ');
    expect(cookie).toMatch(/^pay_refresh=[\w-]{43}$/);
    expect(attributes.map((each) => each.replace(/^Expires=.*/, 'Expires'))).toEqual([
      ...['Path=/v1/auth', 'Expires', 'HttpOnly', 'Secure', 'SameSite=Strict'],
    ]);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('the access token is valid for 15 minutes, the refresh token for 30 days', async () => {
    const person = await aPerson(service);

    const { body, headers } = await new Browser(service).logIn(person);

    const { iat, exp } = claimsOf(body.accessToken);
    expect(exp - iat).toBe(15 * 60);
    const expires = Date.parse(/Expires=([^;]+)/.exec(headers.get('set-cookie')!)![1]!);
    expect(expires - Date.now()).toBeGreaterThan(30 * 86_400_000 - 60_000);
    expect(expires - Date.now()).toBeLessThanOrEqual(30 * 86_400_000);
  });

  it('GET /v1/auth/me returns the user, the merchant and the end of the session', async () => {
    const person = await aPerson(service);
    const browser = await loggedIn(service, person);

    const { status, body } = await browser.me();

    expect(status).toBe(200);
    expect(body).toMatchObject({
      user: { id: person.userId, role: 'OWNER', merchant: { id: person.merchantId, name: 'Boi Bazar' } },
      recoveryCodesLeft: 0,
      session: { id: expect.any(String), expiresAt: expect.any(String) },
    });
    expect((await new Browser(service).me()).status).toBe(401);
  });

  it('an unknown account, a wrong password and a disabled person get the same response', async () => {
    const person = await aPerson(service);
    const off = await aPerson(service);
    await service.change(async (deps, tx) => {
      const before = (await tables.user.lock(tx, off.userId))!;
      const after = changed(before, { isActive: false }, new Date());
      await storeChange(deps, tx, { kind: 'user', action: 'user.deactivated', before, after });
    });

    const answers = [
      await wrong(person),
      await wrong({ email: 'nobody@shop.example' }),
      await wrong({ email: "' or 1=1 --" }),
      await new Browser(service).logIn(off),
    ];

    const bodies = answers.map(({ status, body, headers }) => ({ status, body, cookie: headers.get('set-cookie') }));
    expect(new Set(bodies.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(bodies[0]).toEqual({
      status: 401,
      cookie: null,
      body: { code: 'UNAUTHORIZED', message: 'The e-mail address, the password or the code is wrong.' },
    });
  });

  it('an unknown account costs as much as a known one: a password is verified for both', async () => {
    const person = await aPerson(service);
    verified.length = 0;

    await wrong({ email: 'nobody.else@shop.example' });
    await wrong(person);

    expect(verified).toEqual([undefined, expect.stringMatching(/^\$argon2id\$/)]);
  });

  it('a person of a merchant that is switched off cannot log in', async () => {
    const person = await aPerson(service);
    await service.change((deps, tx) =>
      changeMerchant(deps, tx, { merchantId: person.merchantId, change: { isActive: false } }),
    );

    await expect(new Browser(service).logIn(person)).resolves.toMatchObject({ status: 401 });
  });

  it('every log-in is in the audit log, one that fails only where the account exists', async () => {
    const person = await aPerson(service);

    await wrong(person);
    await loggedIn(service, person);

    const entries = (await service.audited(person.userId)).slice(1);
    expect(entries).toMatchObject([
      { action: 'user.login_failed', actor: 'login', after: { because: 'password', address: '127.0.0.1' } },
      { action: 'user.logged_in', actor: `user:${person.userId}`, after: { by: 'password', address: '127.0.0.1' } },
    ]);
    expect(entries.every(({ merchant_id }) => merchant_id === person.merchantId)).toBe(true);
    const unknownAccounts = await service.db.query(`select from audit_log where after::text like '%nobody%'`);
    expect(unknownAccounts).toEqual([]);
  });

  it('a hash of a lower cost is replaced at the next log-in', async () => {
    const person = await aPerson(service);
    const cheap = await hash(person.password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    await service.change(async (deps, tx) => {
      const before = (await tables.user.lock(tx, person.userId))!;
      const after = changed(before, { passwordHash: cheap }, new Date());
      await storeChange(deps, tx, { kind: 'user', action: 'user.password_set', before, after });
    });

    await loggedIn(service, person);
    await loggedIn(service, person);

    const [row] = await service.db.query('select password_hash from users where id = $1', [person.userId]);
    expect(row).toEqual({ password_hash: expect.stringContaining('m=19456,t=2,p=1') });
    expect((await actionsOf(person)).filter((action) => action === 'user.password_rehashed')).toHaveLength(1);
  });

  it('invalid input is answered with messages that name the field and contain no value', async () => {
    const { status, body } = await new Browser(service).post('/v1/auth/login', { email: 7, password: 'x'.repeat(201) });

    expect(status).toBe(400);
    expect(body.message).toEqual(['email is required and must be a string', 'password must be at most 200 characters']);
  });

  it('passwords, cookies and tokens are nowhere in the logs or the database', async () => {
    const person = await aPerson(service);
    const browser = await loggedIn(service, person);
    await browser.refresh();
    await wrong(person);
    const cookies = [browser.cookie!, browser.browserCookie!].map((cookie) => cookie.split('=')[1]!);
    const secrets = [person.password, 'not the password', browser.accessToken!, ...cookies];

    const [stored] = await service.db.query<{ text: string }>(
      `select (select string_agg(a::text, '') from audit_log a) || (select string_agg(t::text, '') from refresh_tokens t)
           || (select string_agg(u::text, '') from users u) || (select string_agg(l::text, '') from login_attempts l)
           || (select string_agg(b::text, '') from known_browsers b) as text`,
    );
    for (const secret of secrets) {
      expect(service.lines.join('')).not.toContain(secret);
      expect(stored!.text).not.toContain(secret);
    }
    expect(service.lines.join('')).not.toContain(person.email);
  });

  describe('lock-out: 5 per 5 min per account and address', () => {
    it('the sixth attempt is answered 429 with its headers, also with the right password', async () => {
      const person = await aPerson(service);
      const begun = performance.now();
      for (let turn = 0; turn < 5; turn++) expect((await wrong(person)).status).toBe(401);

      const { status, body, headers } = await new Browser(service).logIn(person);
      const secondsOver = Math.ceil((performance.now() - begun) / 1_000);

      expect({ status, code: body.code }).toEqual({ status: 429, code: 'RATE_LIMITED' });
      const seconds = Number(headers.get('retry-after'));
      expect(seconds).toBeGreaterThanOrEqual(300 - secondsOver);
      expect(seconds).toBeLessThanOrEqual(300);
      expect(headers.get('ratelimit-limit')).toBe('5');
      expect(headers.get('ratelimit-remaining')).toBe('0');
      expect(headers.get('ratelimit-reset')).toBe(String(seconds));
      expect((await actionsOf(person)).filter((action) => action === 'user.login_failed')).toHaveLength(5);
    });

    it('an address without an account is locked out alike', async () => {
      const nobody = { email: 'not.here@shop.example' };
      const statuses: number[] = [];
      for (let turn = 0; turn < 6; turn++) statuses.push((await wrong(nobody)).status);

      expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    });

    it('is exact for concurrent attempts', async () => {
      const person = await aPerson(service);

      const answers = await Promise.all(Array.from({ length: 12 }, () => wrong(person)));

      expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
    });

    it('a right password forgets the wrong ones before it', async () => {
      const person = await aPerson(service);
      for (let round = 0; round < 2; round++) {
        for (let turn = 0; turn < 4; turn++) await wrong(person);
        expect((await new Browser(service).logIn(person)).status).toBe(200);
      }
    });

    it('the command line unlocks an owner, with an entry in the audit log', async () => {
      const person = await aPerson(service);
      for (let turn = 0; turn < 6; turn++) await wrong(person);
      const line = parseCommandLine(['unlock-user', `--email=${person.email}`]);
      if (line.kind !== 'run') throw new Error('only help');

      const answer = await service.change((deps, tx) => line.command.run(deps, tx, line.input));

      expect(answer).toEqual({ userId: person.userId, wasCounted: true });
      expect((await new Browser(service).logIn(person)).status).toBe(200);
      await expect(actionsOf(person)).resolves.toContain('user.unlocked');
    });
  });
});

describe('login: 10 per minute per address, here 3', () => {
  let direct: ServiceUnderTest;
  let proxied: ServiceUnderTest;
  beforeAll(async () => {
    const settings = { LOGIN_LIMIT_PER_ADDRESS: 3 };
    // One after the other: each opens a pool of connections, which have a few seconds.
    direct = await startService(settings);
    proxied = await startService({ ...settings, trustedProxyCidrs: ['127.0.0.1/32', '10.0.0.0/8'] });
  });
  afterAll(() => Promise.all([direct.stop(), proxied.stop()]));

  let guests = 0;
  const attempt = async (service: ServiceUnderTest, forwardedFor: string) => {
    const body = { email: `guest${guests++}@shop.example`, password: 'a guess' };
    const { status, headers } = await new Browser(service).post('/v1/auth/login', body, {
      'x-forwarded-for': forwardedFor,
    });
    return status === 429 ? `429, ${headers.get('ratelimit-limit')} allowed` : status;
  };

  it('the address that a trusted proxy has seen is what counts', async () => {
    for (let turn = 0; turn < 3; turn++) expect(await attempt(proxied, '203.0.113.1')).toBe(401);

    expect(await attempt(proxied, '203.0.113.1')).toBe('429, 3 allowed');
    expect(await attempt(proxied, '203.0.113.2')).toBe(401);
    expect(await attempt(proxied, '203.0.113.1, 10.1.2.3')).toBe('429, 3 allowed');
  });

  it('addresses to the left of an untrusted hop are ignored', async () => {
    for (let turn = 0; turn < 3; turn++) {
      expect(await attempt(proxied, `198.51.100.${turn}, 192.0.2.7`)).toBe(401);
    }

    expect(await attempt(proxied, '198.51.100.9, 192.0.2.7')).toBe('429, 3 allowed');
  });

  it('without a trusted proxy no client can choose its address', async () => {
    for (let turn = 0; turn < 3; turn++) expect(await attempt(direct, `203.0.113.${turn}`)).toBe(401);

    expect(await attempt(direct, '203.0.113.77')).toBe('429, 3 allowed');
  });
});
