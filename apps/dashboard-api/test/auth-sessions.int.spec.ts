import { eventually, failOnLeaks } from '@pay/testing';
import { changeMerchant } from '../src/merchants/change-merchant';
import { tables } from '../src/db/tables';
import { changed, type UserRecord } from '../src/domain/records';
import { storeChange } from '../src/changes/store-change';
import { sweepSignIn } from '../src/sign-in/sweep-sign-in';
import { aPerson, Browser, loggedIn, type Person } from './people';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('sessions', () => {
  let service: ServiceUnderTest;
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  const seconds = (count: number) => (ahead += count * 1_000);

  beforeAll(async () => {
    service = await startService({ now });
  });
  afterAll(() => service.stop());

  const change = (person: Person, change: Partial<UserRecord>) =>
    service.change(async (deps, tx) => {
      const before = (await tables.user.lock(tx, person.userId))!;
      await storeChange(deps, tx, {
        kind: 'user',
        action: 'user.changed',
        before,
        after: changed(before, change, now()),
      });
    });
  const endings = async (person: Person) =>
    (
      await service.db.query<{ because: string | null }>(
        'select ended_because as because from sessions where user_id = $1 order by id',
        [person.userId],
      )
    ).map(({ because }) => because);

  it('refresh rotates at every use, and the session still ends thirty days after log-in', async () => {
    const person = await aPerson(service);
    const browser = await loggedIn(service, person);
    const { expiresAt } = (await browser.me()).body.session;
    const cookies = new Set([browser.cookie]);

    for (let turn = 0; turn < 3; turn++) {
      seconds(900);
      const answer = await browser.refresh();
      expect(answer).toMatchObject({ status: 200, body: { expiresIn: 900, user: { id: person.userId } } });
      cookies.add(browser.cookie);
    }

    expect(cookies.size).toBe(4);
    expect((await browser.me()).body.session.expiresAt).toBe(expiresAt);
    seconds(30 * 86_400);
    await expect(browser.refresh()).resolves.toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
    expect(browser.cookie).toBeUndefined();
    expect((await browser.me()).status).toBe(401);
  });

  it('two tabs that refresh concurrently get the same successor, and both remain logged in', async () => {
    const person = await aPerson(service);
    const one = await loggedIn(service, person);
    const others = Array.from({ length: 7 }, () => one.copy());

    const answers = await Promise.all([one, ...others].map((tab) => tab.refresh()));

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(new Set([one, ...others].map(({ cookie }) => cookie)).size).toBe(1);
    seconds(60);
    expect((await others[0]!.refresh()).status).toBe(200);
    expect(await endings(person)).toEqual([null]);
  });

  it('a tab that comes a moment late is given the newest token, also two steps on', async () => {
    const person = await aPerson(service);
    const fast = await loggedIn(service, person);
    const slow = fast.copy();

    await fast.refresh();
    await fast.refresh();
    seconds(9);

    expect((await slow.refresh()).status).toBe(200);
    expect(slow.cookie).toBe(fast.cookie);
  });

  it('reuse detected: a stolen token that is used later ends the session of both, in the log and in the audit log', async () => {
    const person = await aPerson(service);
    const owner = await loggedIn(service, person);
    const elsewhere = await loggedIn(service, person);
    const thief = owner.copy();
    await owner.refresh();
    seconds(11);

    await expect(thief.refresh()).resolves.toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });

    expect((await owner.refresh()).status).toBe(401);
    await eventually(async () => (await owner.me()).status === 401, 'the access token is refused');
    expect((await elsewhere.refresh()).status).toBe(200);
    expect(await endings(person)).toEqual(['reuse_detected', null]);
    const entries = (await service.audited(person.userId)).filter(({ action }) => action === 'session.reuse_detected');
    expect(entries).toMatchObject([{ after: { sessionId: expect.any(String) } }]);
    expect(service.lines.filter((line) => line.includes('session.reuse_detected'))).toHaveLength(1);
  });

  it('reuse detected under concurrency: when thief and owner refresh concurrently later, the session ends once', async () => {
    const person = await aPerson(service);
    const owner = await loggedIn(service, person);
    const thieves = Array.from({ length: 5 }, () => owner.copy());
    await owner.refresh();
    seconds(11);

    const answers = await Promise.all(thieves.map((thief) => thief.refresh()));

    expect(answers.every(({ status }) => status === 401)).toBe(true);
    expect(await endings(person)).toEqual(['reuse_detected']);
    const entries = (await service.audited(person.userId)).filter(({ action }) => action === 'session.reuse_detected');
    expect(entries).toHaveLength(1);
  });

  it('no token, an unknown one and nonsense are the same 401', async () => {
    for (const cookie of [undefined, `pay_refresh=${'A'.repeat(43)}`, 'pay_refresh=%00', 'pay_refresh=']) {
      const browser = Object.assign(new Browser(service), { cookie });
      await expect(browser.refresh()).resolves.toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
    }
  });

  it('logout ends the session: the access token within a second, the refresh token immediately', async () => {
    const person = await aPerson(service);
    const browser = await loggedIn(service, person);
    const copy = browser.copy();
    expect((await copy.me()).status).toBe(200);

    await expect(browser.logOut()).resolves.toMatchObject({ status: 200, body: { endedSessions: 1 } });

    expect(browser.cookie).toBeUndefined();
    expect((await copy.refresh()).status).toBe(401);
    seconds(1);
    expect((await browser.me()).status).toBe(401);
    await expect(browser.logOut()).resolves.toMatchObject({ status: 200, body: { endedSessions: 0 } });
    expect(await endings(person)).toEqual(['logout']);
    await expect(service.audited(person.userId)).resolves.toContainEqual(
      expect.objectContaining({ action: 'user.logged_out', actor: `user:${person.userId}` }),
    );
  });

  interface Listed {
    readonly id: string;
    readonly createdAt: string;
    readonly lastUsedAt: string;
    readonly isCurrent: boolean;
  }
  const listed = async (browser: Browser): Promise<Listed[]> => (await browser.get('/v1/auth/sessions')).body.data;

  it('are listed for their person alone while they are open, newest first, with address, browser and last use', async () => {
    const person = await aPerson(service);
    const older = await loggedIn(service, person);
    seconds(900);
    await older.refresh();
    await (await loggedIn(service, person)).logOut();
    await loggedIn(service, await aPerson(service, { merchantId: person.merchantId }));
    seconds(1);
    const newer = await loggedIn(service, person);

    const sessions = await listed(newer);

    expect(sessions).toMatchObject([
      { isCurrent: true, userAgent: 'node', address: expect.any(String), merchant: { id: person.merchantId } },
      { isCurrent: false },
    ]);
    const [, { createdAt, lastUsedAt }] = sessions as [Listed, Listed];
    expect(Date.parse(lastUsedAt) - Date.parse(createdAt)).toBeGreaterThanOrEqual(900_000);
    expect((await listed(older)).map(({ isCurrent }) => isCurrent)).toEqual([false, true]);
  });

  it('are ended one by one only by their person, once, with an entry in the audit log', async () => {
    const person = await aPerson(service);
    const lost = await loggedIn(service, person);
    seconds(1);
    const browser = await loggedIn(service, person);
    const other = await loggedIn(service, await aPerson(service, { merchantId: person.merchantId }));
    const id = (await listed(browser)).find(({ isCurrent }) => !isCurrent)?.id ?? '';
    const path = `/v1/auth/sessions/${id}/end`;

    await expect(other.post(path)).resolves.toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(await endings(person)).toEqual([null, null]);
    await expect(browser.post(path)).resolves.toMatchObject({ status: 200, body: { endedSessions: 1 } });
    await expect(browser.post(path)).resolves.toMatchObject({ status: 200, body: { endedSessions: 0 } });

    expect((await lost.refresh()).status).toBe(401);
    seconds(1);
    expect((await lost.me()).status).toBe(401);
    expect((await browser.me()).status).toBe(200);
    const entries = (await service.audited(person.userId)).filter(({ action }) => action === 'user.session_ended');
    expect(entries).toMatchObject([{ actor: `user:${person.userId}`, after: { sessionId: id } }]);
  });

  it('are all ended except the requesting one, and those of others are kept', async () => {
    const person = await aPerson(service);
    const others = [await loggedIn(service, person), await loggedIn(service, person)];
    const colleague = await loggedIn(service, await aPerson(service, { merchantId: person.merchantId }));
    const browser = await loggedIn(service, person);

    const answer = await browser.post('/v1/auth/sessions/end-others');

    expect(answer).toMatchObject({ status: 200, body: { endedSessions: 2 } });
    for (const other of others) expect((await other.refresh()).status).toBe(401);
    expect((await browser.refresh()).status).toBe(200);
    expect((await colleague.refresh()).status).toBe(200);
    expect((await endings(person)).toSorted()).toEqual(['ended_elsewhere', 'ended_elsewhere', null]);
    expect(await listed(browser)).toHaveLength(1);
  });

  it.each([
    ['a deactivated user', (person: Person) => change(person, { isActive: false })],
    [
      'a person of a deactivated merchant',
      ({ merchantId }: Person) =>
        service.change((deps, tx) => changeMerchant(deps, tx, { merchantId, change: { isActive: false } })),
    ],
  ])('%s loses the refresh token immediately and the access token within a second', async (_who, deactivate) => {
    const person = await aPerson(service);
    const browser = await loggedIn(service, person);
    expect((await browser.me()).status).toBe(200);

    await deactivate(person);

    expect((await browser.refresh()).status).toBe(401);
    seconds(1);
    expect((await browser.me()).status).toBe(401);
    expect(await endings(person)).toEqual(['access_withdrawn']);
  });

  it('another role applies within a second, whatever the token contains', async () => {
    const person = await aPerson(service, { role: 'OWNER' });
    const browser = await loggedIn(service, person);

    await change(person, { role: 'VIEWER' });
    seconds(1);

    expect((await browser.me()).body.user.role).toBe('VIEWER');
    const refused = await browser.post('/v1/dashboard/api-keys', { environment: 'SANDBOX', name: 'Mine' });
    expect(refused.status).toBe(403);
  });

  it.each(['refresh', 'logout'])('CSRF: a form of another site cannot %s', async (path) => {
    const person = await aPerson(service);
    const browser = await loggedIn(service, person);
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' };

    await expect(browser.post(`/v1/auth/${path}`, undefined, form)).resolves.toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    const preflight = await fetch(`${service.url}/v1/auth/${path}`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-headers': 'x-requested-with' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
    expect(await endings(person)).toEqual([null]);
    expect((await browser.refresh()).status).toBe(200);
  });

  it('sessions past their end and attempts that count no more are deleted, others are not', async () => {
    const person = await aPerson(service);
    const old = await loggedIn(service, person);
    await old.refresh();
    await new Browser(service).logIn({ ...person, password: 'a wrong one' });
    seconds(31 * 86_400);
    await loggedIn(service, person);
    await new Browser(service).logIn({ email: 'nobody@shop.example', password: 'a wrong one' });

    // The limiter counts by the real clock.
    await sweepSignIn({ db: service.db, now: () => new Date(Date.now() + ahead) }, new AbortController().signal);

    expect(await endings(person)).toEqual([null]);
    const [left] = await service.db.query(
      `select (select count(*)::int from refresh_tokens t join sessions s on s.id = t.session_id where s.user_id = $1) as tokens,
              (select count(*)::int from login_attempts) as attempts`,
      [person.userId],
    );
    expect(left).toEqual({ tokens: 1, attempts: 0 });
  });

  describe('while SESSION_SECRET is rotated', () => {
    const OLD = 'the secret that signed until now, 32 or more';
    const NEW = 'the secret that signs from now on, 32 or more';
    // Three deployments: both verify; the new one signs; the old one is gone.
    const STEPS: [string, ...string[]][] = [[OLD], [OLD, NEW], [NEW, OLD], [NEW]];

    it('replicas of two neighbouring steps accept the access tokens of each other, and tabs refresh at either', async () => {
      for (const [index, secrets] of STEPS.slice(0, -1).entries()) {
        const replicas = await Promise.all(
          [secrets, STEPS[index + 1]!].map((SESSION_SECRET) => service.replica({ SESSION_SECRET })),
        );
        const [before, after] = replicas as [(typeof replicas)[0], (typeof replicas)[0]];
        const person = await aPerson(service);
        for (const [own, other] of [
          [before, after],
          [after, before],
        ] as const) {
          const browser = new Browser(own);
          await browser.logIn(person);
          browser.service = other;
          expect((await browser.me()).status).toBe(200);
          const tab = browser.copy();

          expect((await browser.refresh()).status).toBe(200);
          tab.service = own;

          expect((await tab.refresh()).status).toBe(200);
          expect(tab.cookie).toBe(browser.cookie);
          expect((await tab.me()).status).toBe(200);
        }
        await Promise.all(replicas.map((replica) => replica.stop()));
      }
    });

    it('a token of a removed secret is refused, and the session continues with its refresh token', async () => {
      const [before, after] = await Promise.all(
        [[OLD], [NEW]].map((secrets) => service.replica({ SESSION_SECRET: secrets as [string] })),
      );
      const browser = new Browser(before!);
      await browser.logIn(await aPerson(service));
      browser.service = after!;

      expect((await browser.me()).status).toBe(401);
      expect((await browser.refresh()).status).toBe(200);
      expect((await browser.me()).status).toBe(200);
      await Promise.all([before!.stop(), after!.stop()]);
    });
  });
});
