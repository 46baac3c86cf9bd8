import { failOnLeaks } from '@pay/testing';
import { Secret, TOTP } from 'otpauth';
import { assertKeysKnown } from '../src/sign-in/assert-keys-known';
import { unlockUser } from '../src/sign-in/unlock-user';
import { aPerson, Browser, loggedIn, type Person } from './people';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('two-factor authentication', () => {
  let service: ServiceUnderTest;
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  /** To the beginning of the next 30 seconds: a code of these is then new, and those before it are old. */
  const nextPeriod = () => {
    ahead += 30_000 - (now().getTime() % 30_000);
    return 0;
  };

  beforeAll(async () => {
    service = await startService({ now });
  });
  afterAll(() => service.stop());

  const codeOf = (secret: string, periods = 0) =>
    TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: now().getTime() + periods * 30_000 });
  /** An old code that no accepted period repeats by chance, nor the one that may begin before it is checked. */
  const wrongCodeOf = (secret: string): string => {
    const accepted = [-1, 0, 1, 2].map((periods) => codeOf(secret, periods));
    let periods = -9;
    while (accepted.includes(codeOf(secret, periods))) periods -= 1;
    return codeOf(secret, periods);
  };
  const enrol = (browser: Browser, { password }: Person) => browser.post('/v1/auth/2fa/enrol', { password });
  const confirm = (browser: Browser, code: string) => browser.post('/v1/auth/2fa/confirm', { code });
  const actionsOf = async (person: Person) => (await service.audited(person.userId)).map(({ action }) => action);

  /** A person with an authenticator app, in a period in which no code has been used. */
  async function protectedPerson() {
    const person = await aPerson(service);
    const browser = await loggedIn(service, person);
    const { secret } = (await enrol(browser, person)).body;
    const { recoveryCodes } = (await confirm(browser, codeOf(secret))).body as { recoveryCodes: string[] };
    nextPeriod();
    return { person, browser, secret: secret as string, recoveryCodes };
  }
  const attempt = async (person: Person, code?: string) => {
    const { status, body } = await new Browser(service).logIn(person, code);
    return status === 200 ? 200 : body.code;
  };

  it('enrols with a secret, an otpauth URI and a QR code, applies only once confirmed, and requires the password', async () => {
    const person = await aPerson(service);
    const browser = await loggedIn(service, person);

    const refused = await enrol(browser, { ...person, password: 'not the password' });
    const { status, body } = await enrol(browser, person);

    expect(refused).toMatchObject({ status: 422, body: { code: 'PASSWORD_WRONG' } });
    expect(status).toBe(200);
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(body.otpauthUri).toMatch(/^otpauth:\/\/totp\//);
    expect(body.otpauthUri).toContain(body.secret);
    expect(body.qrSvg).toMatch(/^<svg[\s\S]*<\/svg>\s*$/);
    expect(await attempt(person)).toBe(200);
    expect((await browser.me()).body.user.twoFactorEnabled).toBe(false);
  });

  it('is confirmed with a code, which shows one-time recovery codes once', async () => {
    const person = await aPerson(service);
    const browser = await loggedIn(service, person);
    expect((await confirm(browser, '000000')).body.code).toBe('TWO_FACTOR_NOT_BEGUN');
    const { secret } = (await enrol(browser, person)).body;

    const wrong = await confirm(browser, wrongCodeOf(secret));
    const malformed = await confirm(browser, '12 34 5');
    // As an authenticator app shows it.
    const { status, body } = await confirm(browser, ` ${codeOf(secret).slice(0, 3)}\u00a0${codeOf(secret).slice(3)} `);

    expect(malformed).toMatchObject({ status: 400, body: { message: ['code must be 6 digits'] } });
    expect(wrong).toMatchObject({ status: 422, body: { code: 'CODE_WRONG' } });
    expect(status).toBe(200);
    expect(new Set(body.recoveryCodes).size).toBe(10);
    for (const code of body.recoveryCodes) expect(code).toMatch(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/);
    expect((await browser.me()).body).toMatchObject({ user: { twoFactorEnabled: true }, recoveryCodesLeft: 10 });
    expect((await confirm(browser, codeOf(secret, 1))).body.code).toBe('TWO_FACTOR_ON');
    expect((await enrol(browser, person)).body.code).toBe('TWO_FACTOR_ON');
    await expect(actionsOf(person)).resolves.toEqual(
      expect.arrayContaining(['user.two_factor_begun', 'user.two_factor_enabled']),
    );
  });

  it('log-in without a code is TOTP_REQUIRED for the right password alone; a wrong code is like a wrong password', async () => {
    const { person, secret } = await protectedPerson();
    const wrongPassword = { ...person, password: 'not the password' };

    expect(await attempt(person)).toBe('TOTP_REQUIRED');
    expect(await attempt(wrongPassword)).toBe('UNAUTHORIZED');
    const [code, password] = [
      await new Browser(service).logIn(person, wrongCodeOf(secret)),
      await new Browser(service).logIn(wrongPassword, codeOf(secret)),
    ];
    expect({ status: code.status, body: code.body }).toEqual({ status: password.status, body: password.body });
    const failed = (await service.audited(person.userId)).filter(({ action }) => action === 'user.login_failed');
    expect(failed.map(({ after }) => after?.['because'])).toEqual(['password', 'code', 'password']);
    expect(await attempt(person, codeOf(secret))).toBe(200);
  });

  it('refuses a TOTP replay: a code works once, also in concurrent requests, and no earlier code works after it', async () => {
    const { person, secret } = await protectedPerson();
    const code = codeOf(secret);

    const outcomes = await Promise.all([attempt(person, code), attempt(person, code)]);
    expect([...outcomes].sort()).toEqual([200, 'UNAUTHORIZED']);

    expect(await attempt(person, code)).toBe('UNAUTHORIZED');
    expect(await attempt(person, codeOf(secret, -1))).toBe('UNAUTHORIZED');
    expect(await attempt(person, codeOf(secret, 1))).toBe(200);
  });

  it('TOTP window: one period early and one late, no more', async () => {
    const { person, secret } = await protectedPerson();
    const late = codeOf(secret);
    nextPeriod();

    expect(await attempt(person, codeOf(secret, 2))).toBe('UNAUTHORIZED');
    expect(await attempt(person, codeOf(secret, -2))).toBe('UNAUTHORIZED');
    expect(await attempt(person, late)).toBe(200);
    expect(await attempt(person, codeOf(secret, 1))).toBe(200);
  });

  it('recovery codes work once each, however they are typed', async () => {
    const { person, browser, recoveryCodes } = await protectedPerson();
    const [first = '', second = ''] = recoveryCodes;

    const outcomes = await Promise.all([attempt(person, first), attempt(person, first)]);

    expect([...outcomes].sort()).toEqual([200, 'UNAUTHORIZED']);
    expect(await attempt(person, second.toLowerCase().replaceAll('-', ' '))).toBe(200);
    expect(await attempt(person, first)).toBe('UNAUTHORIZED');
    expect((await browser.me()).body.recoveryCodesLeft).toBe(8);
    const logins = (await service.audited(person.userId)).filter(({ action }) => action === 'user.logged_in');
    expect(logins.map(({ after }) => after?.['by'])).toEqual(['password', 'recovery_code', 'recovery_code']);
  });

  it('codes are limited with the log-ins of the account', async () => {
    const { person, secret } = await protectedPerson();
    for (let turn = 0; turn < 5; turn++) expect(await attempt(person, wrongCodeOf(secret))).toBe('UNAUTHORIZED');

    expect(await attempt(person, codeOf(secret))).toBe('RATE_LIMITED');
  });

  it('ends all other sessions of the person when it is enabled, and no sessions of others', async () => {
    const person = await aPerson(service);
    const [own, older] = [await loggedIn(service, person), await loggedIn(service, person)];
    const colleague = await loggedIn(service, await aPerson(service, { merchantId: person.merchantId }));
    const { secret } = (await enrol(own, person)).body;

    const { body } = await confirm(own, codeOf(secret));

    expect(body).toMatchObject({ endedSessions: 1, recoveryCodes: expect.any(Array) });
    expect((await older.refresh()).status).toBe(401);
    expect([(await own.refresh()).status, (await colleague.refresh()).status]).toEqual([200, 200]);
    ahead += 1_000;
    expect((await older.me()).status).toBe(401);
  });

  it('is switched off with the password and a code, not with one of them, and the recovery codes go with it', async () => {
    const { person, browser, secret, recoveryCodes } = await protectedPerson();
    const disable = (password: string, code?: string) => browser.post('/v1/auth/2fa/disable', { password, code });

    expect((await disable('not the password', codeOf(secret))).body.code).toBe('PASSWORD_WRONG');
    expect(await disable(person.password)).toMatchObject({
      status: 400,
      body: { message: ['code is required while two-factor authentication is enabled'] },
    });
    expect((await disable(person.password, wrongCodeOf(secret))).body.code).toBe('CODE_WRONG');
    expect((await browser.me()).body.user.twoFactorEnabled).toBe(true);
    expect(await disable(person.password, codeOf(secret))).toMatchObject({
      status: 200,
      body: { twoFactorEnabled: false },
    });

    expect(await attempt(person)).toBe(200);
    expect((await browser.me()).body).toMatchObject({ user: { twoFactorEnabled: false }, recoveryCodesLeft: 0 });
    expect(recoveryCodes).toHaveLength(10);
    await expect(actionsOf(person)).resolves.toContain('user.two_factor_disabled');
    await expect(disable(person.password)).resolves.toMatchObject({ status: 200 });
  });

  it('codes that are tried to switch it off are limited, also with the right password', async () => {
    const { person, browser, secret } = await protectedPerson();
    const disable = (code: string) => browser.post('/v1/auth/2fa/disable', { password: person.password, code });

    const answers: unknown[] = [];
    for (let turn = 0; turn < 6; turn++) answers.push((await disable(wrongCodeOf(secret))).body.code);

    expect(answers).toEqual([...Array.from({ length: 5 }, () => 'CODE_WRONG'), 'RATE_LIMITED']);
  });

  it('wrong codes stay counted for the person after a right password and in another session', async () => {
    const { person, browser, secret } = await protectedPerson();
    const other = await loggedIn(service, person, codeOf(secret));
    nextPeriod();
    const { password } = person;
    const disable = async (from: Browser, code: string) => {
      const { status, body } = await from.post('/v1/auth/2fa/disable', { password, code });
      return status === 200 ? 200 : body.code;
    };
    const guess = (from: Browser) => disable(from, wrongCodeOf(secret));
    const change = { currentPassword: password, newPassword: password };

    for (let turn = 0; turn < 4; turn++) expect(await guess(browser)).toBe('CODE_WRONG');
    expect((await enrol(browser, person)).body.code).toBe('TWO_FACTOR_ON');
    expect(await guess(browser)).toBe('CODE_WRONG');
    expect((await browser.post('/v1/auth/password/change', change)).body.code).toBe('PASSWORD_NOT_ALLOWED');

    expect(await guess(browser)).toBe('RATE_LIMITED');
    expect(await disable(other, codeOf(secret))).toBe('RATE_LIMITED');
    expect((await browser.me()).body.user.twoFactorEnabled).toBe(true);
  });

  it('the command line forgets the wrong codes of a person and the wrong passwords of their sessions', async () => {
    const { person, browser, secret } = await protectedPerson();
    const disable = async (code: string, password = person.password) => {
      const { status, body } = await browser.post('/v1/auth/2fa/disable', { password, code });
      return status === 200 ? 200 : body.code;
    };
    const unlock = () => service.change((deps, tx) => unlockUser(deps, tx, person));
    for (let turn = 0; turn < 5; turn++) expect(await disable(wrongCodeOf(secret))).toBe('CODE_WRONG');
    expect(await disable(codeOf(secret))).toBe('RATE_LIMITED');

    expect(await unlock()).toEqual({ userId: person.userId, wasCounted: true });

    expect(await disable(codeOf(secret), 'not the password')).toBe('PASSWORD_WRONG');
    expect(await disable(codeOf(secret))).toBe(200);
    await expect(actionsOf(person)).resolves.toContain('user.unlocked');
    expect(await unlock()).toEqual({ userId: person.userId, wasCounted: false });
  });

  it('a right code forgets the wrong ones before it', async () => {
    const { person, browser, secret, recoveryCodes } = await protectedPerson();
    const disable = (code?: string) => browser.post('/v1/auth/2fa/disable', { password: person.password, code });
    for (let turn = 0; turn < 4; turn++) expect((await disable(wrongCodeOf(secret))).body.code).toBe('CODE_WRONG');
    expect((await disable(recoveryCodes[0])).status).toBe(200);
    const again = (await enrol(browser, person)).body.secret as string;
    await confirm(browser, codeOf(again));

    for (let turn = 0; turn < 4; turn++) expect((await disable(wrongCodeOf(again))).body.code).toBe('CODE_WRONG');
  });

  it('is switched off with a recovery code when the phone is lost; one that was used does not do it', async () => {
    const { person, browser, recoveryCodes } = await protectedPerson();
    const disable = (code?: string) => browser.post('/v1/auth/2fa/disable', { password: person.password, code });
    const [used = '', fresh = ''] = recoveryCodes;
    expect(await attempt(person, used)).toBe(200);

    expect((await disable(used)).body.code).toBe('CODE_WRONG');
    expect((await disable(fresh)).status).toBe(200);
  });

  it('the secret is sealed at rest, bound to its person, and nothing of it is in the logs', async () => {
    const [one, other] = [await protectedPerson(), await protectedPerson()];
    await attempt(one.person, codeOf(one.secret));
    await attempt(one.person, one.recoveryCodes[0]);

    const [stored] = await service.db.query<{ text: string }>(
      `select (select string_agg(f::text, '') from second_factors f) || (select string_agg(c::text, '') from recovery_codes c)
           || (select string_agg(a::text, '') from audit_log a) as text`,
    );
    for (const secret of [one.secret, ...one.recoveryCodes]) {
      expect(stored!.text).not.toContain(secret);
      expect(service.lines.join('')).not.toContain(secret);
    }
    await expect(assertKeysKnown(service.db, [])).rejects.toThrow('TOTP_ENCRYPTION_KEYS does not contain k1');
    await service.db.execute(
      `insert into test_endpoints (merchant_id, token, sealed_secret) select id, id::text, 'k2:AAAA' from merchants limit 1`,
    );
    await expect(assertKeysKnown(service.db, [{ id: 'k1', key: Buffer.alloc(32) }])).rejects.toThrow(
      'TOTP_ENCRYPTION_KEYS does not contain k2',
    );
    await service.db.execute(
      `update second_factors f set sealed_secret = o.sealed_secret, last_step = 0 from second_factors o
        where f.user_id = $1 and o.user_id = $2`,
      [other.person.userId, one.person.userId],
    );
    nextPeriod();
    expect(await attempt(other.person, codeOf(one.secret))).toBe('INTERNAL_ERROR');
  });
});
