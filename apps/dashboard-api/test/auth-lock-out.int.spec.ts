import { failOnLeaks } from '@pay/testing';
import { forgiveAttempts } from '../src/sign-in/login-limits';
import { sweepSignIn } from '../src/sign-in/sweep-sign-in';
import { aPerson, Browser, type Person } from './people';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

const DAY_MS = 86_400_000;

describe('failed log-ins from elsewhere', () => {
  let service: ServiceUnderTest;
  let ahead = 0;
  let addresses = 0;
  const now = () => new Date(Date.now() + ahead);
  beforeAll(async () => {
    service = await startService({
      now,
      trustedProxyCidrs: ['127.0.0.1/32'],
      LOGIN_LIMIT_PER_ADDRESS: 8,
      LOGIN_LIMIT_UNKNOWN_BROWSERS: 12,
    });
  });
  afterAll(() => service.stop());

  const anAddress = () => `198.51.${100 + Math.floor(++addresses / 200)}.${addresses % 200}`;
  const aBrowser = (address = anAddress()) => new Browser(service, address);
  const loggedIn = async (person: Person) => {
    const browser = aBrowser();
    expect((await browser.logIn(person)).status).toBe(200);
    return browser;
  };
  const guess = async (email: string, browser = aBrowser()) =>
    (await browser.logIn({ email, password: 'a wrong guess' })).status;
  /** Guesses from ever new addresses, until no unknown browser is accepted. */
  const useUp = async (email: string, guesses = 12) => {
    const statuses = await Promise.all(Array.from({ length: guesses }, () => guess(email)));
    expect(statuses).toEqual(statuses.map(() => 401));
    expect(await guess(email)).toBe(429);
  };
  const noticesOf = async (browser: Browser, language = 'en') =>
    (await browser.me(`?language=${language}`)).body.notices;

  it('five wrong passwords from one address leave the owner at another address alone', async () => {
    const person = await aPerson(service);
    const thief = anAddress();
    for (let turn = 0; turn < 5; turn++) expect(await guess(person.email, aBrowser(thief))).toBe(401);
    expect(await guess(person.email, aBrowser(thief))).toBe(429);

    expect((await aBrowser().logIn(person)).status).toBe(200);
    expect((await aBrowser(thief).logIn(person)).status).toBe(429);
  });

  it('guesses from ever new addresses are limited per account, and the browser of its owner can still log in', async () => {
    const person = await aPerson(service);
    const own = await loggedIn(person);
    await own.logOut();

    await useUp(person.email);

    expect((await aBrowser().logIn(person)).status).toBe(429);
    expect((await own.logIn(person)).status).toBe(200);
    const elsewhere = Object.assign(aBrowser(), { browserCookie: own.browserCookie });
    expect((await elsewhere.logIn(person)).status).toBe(200);
  });

  it('an address that is refused does not use up what all addresses have together', async () => {
    const person = await aPerson(service);
    const thief = anAddress();
    for (let turn = 0; turn < 30; turn++) await guess(person.email, aBrowser(thief));

    await useUp(person.email, 7);
  });

  it('log-ins that succeed use nothing up', async () => {
    const person = await aPerson(service);
    for (let turn = 0; turn < 15; turn++) expect((await aBrowser().logIn(person)).status).toBe(200);
  });

  it('a known browser is known to its own account alone, and a made-up one to none', async () => {
    const [person, other] = [await aPerson(service), await aPerson(service)];
    const own = await loggedIn(person);
    await useUp(other.email);

    expect(await guess(other.email, Object.assign(aBrowser(), { browserCookie: own.browserCookie }))).toBe(429);
    const madeUp = `pay_browser=${'A'.repeat(43)}`;
    expect(await guess(other.email, Object.assign(aBrowser(), { browserCookie: madeUp }))).toBe(429);
  });

  it('a thief of the cookie of a known browser has five guesses too, and the other browsers of the owner can log in', async () => {
    const person = await aPerson(service);
    const [stolen, other] = [await loggedIn(person), await loggedIn(person)];
    const statuses: number[] = [];

    for (let turn = 0; turn < 6; turn++) {
      statuses.push(await guess(person.email, Object.assign(aBrowser(), { browserCookie: stolen.browserCookie })));
    }

    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await other.logIn(person)).status).toBe(200);
  });

  describe('a browser is known no longer', () => {
    const isKnown = async (browser: Browser, person: Pick<Person, 'email' | 'password'>) => {
      await useUp(person.email);
      return (await browser.logIn(person)).status === 200;
    };

    it('after its owner has all of them forgotten', async () => {
      const person = await aPerson(service);
      const [one, other] = [await loggedIn(person), await loggedIn(person)];
      const before = one.copy();

      const answer = await one.post('/v1/auth/known-browsers/forget');

      expect(answer).toMatchObject({ status: 200, body: { forgotten: 2 } });
      expect(one.browserCookie).toBeUndefined();
      expect(await isKnown(before, person)).toBe(false);
      expect((await other.logIn(person)).status).toBe(429);
      await expect(service.audited(person.userId)).resolves.toContainEqual(
        expect.objectContaining({ action: 'user.browsers_forgotten' }),
      );
    });

    it('after the password was changed in another one', async () => {
      const person = await aPerson(service);
      const [own, lost] = [await loggedIn(person), await loggedIn(person)];
      const newPassword = 'onlysmallletters';
      const body = { currentPassword: person.password, newPassword };
      expect((await own.post('/v1/auth/password/change', body)).status).toBe(200);

      expect(await isKnown(lost, { ...person, password: newPassword })).toBe(false);
      expect((await own.logIn({ ...person, password: newPassword })).status).toBe(200);
    });

    it('after 180 days without a log-in, and its row is deleted', async () => {
      const person = await aPerson(service);
      const browser = await loggedIn(person);
      ahead += 181 * DAY_MS;

      expect(await isKnown(browser, person)).toBe(false);

      await sweepSignIn({ db: service.db, now }, new AbortController().signal);
      const rows = await service.db.query('select from known_browsers where user_id = $1', [person.userId]);
      expect(rows).toEqual([]);
    });
  });

  it('an account keeps the twenty browsers that it has seen last', async () => {
    const person = await aPerson(service);
    for (let turn = 0; turn < 22; turn++) await loggedIn(person);

    const rows = await service.db.query('select from known_browsers where user_id = $1', [person.userId]);

    expect(rows).toHaveLength(20);
  });

  it('the owner sees one notice per hour, which is in the audit log and hidden from others', async () => {
    const person = await aPerson(service);
    const own = await loggedIn(person);
    const colleague = await loggedIn(await aPerson(service, { merchantId: person.merchantId }));
    await expect(noticesOf(own)).resolves.toEqual([]);
    const thief = anAddress();
    for (let turn = 0; turn < 5; turn++) await guess(person.email, aBrowser(thief));
    const other = anAddress();
    for (let turn = 0; turn < 5; turn++) await guess(person.email, aBrowser(other));

    const notices = await noticesOf(own);

    expect(notices).toEqual([
      {
        id: expect.any(String),
        kind: 'login_limited',
        details: { address: thief },
        at: expect.any(String),
        message: expect.stringContaining(thief),
      },
    ]);
    expect(await noticesOf(own, 'bn')).toEqual([
      { ...notices[0], message: expect.stringMatching(`বারবার লগ ইন ব্যর্থ হয়েছে.*${thief}`) },
    ]);
    await expect(noticesOf(colleague)).resolves.toEqual([]);
    const entries = (await service.audited(person.userId)).filter(({ action }) => action === 'user.login_limited');
    expect(entries).toMatchObject([{ actor: 'login', after: { address: thief } }]);
  });

  it('accounts that do not exist are bounded with the same answers', async () => {
    const person = await aPerson(service);
    const nobody = { ...person, email: 'nobody.at.all@shop.example' };
    await useUp(nobody.email);
    await useUp(person.email);

    const [known, unknown] = [await aBrowser().logIn(person), await aBrowser().logIn(nobody)];

    expect({ status: unknown.status, body: unknown.body }).toEqual({ status: known.status, body: known.body });
    for (const name of ['retry-after', 'ratelimit-reset']) {
      expect(Math.abs(Number(unknown.headers.get(name)) - Number(known.headers.get(name)))).toBeLessThan(60);
    }
  });

  it('the command line forgets every count of one account and of no other', async () => {
    const [person, other] = [await aPerson(service), await aPerson(service)];
    await useUp(person.email);
    await useUp(other.email);

    expect(await forgiveAttempts(service.db, { ...person, email: person.email.toUpperCase(), sessionIds: [] })).toBe(
      true,
    );

    expect((await aBrowser().logIn(person)).status).toBe(200);
    expect((await aBrowser().logIn(other)).status).toBe(429);
  });
});
