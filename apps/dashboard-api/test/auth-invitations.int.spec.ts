import { randomUUID } from 'node:crypto';
import { eventually, failOnLeaks } from '@pay/testing';
import { Secret, TOTP } from 'otpauth';
import { changeMerchant } from '../src/merchants/change-merchant';
import { createInvitation } from '../src/people/create-invitation';
import { revokeStoredInvitation } from '../src/people/invitation-repository';
import { call, lockedRow } from './dashboard-under-test';
import { anInvitation, aPerson, Browser, loggedIn, type Person } from './people';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

const PATH = '/v1/auth/invitations/login';
const NOT_VALID = { status: 422, body: { code: 'INVITATION_NOT_VALID' } };
const REFUSED = {
  status: 401,
  body: { code: 'UNAUTHORIZED', message: 'The e-mail address, the password or the code is wrong.' },
};

describe('log-in with an invitation', () => {
  let service: ServiceUnderTest;
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  const verified: (string | undefined)[] = [];
  let whileVerifying = async (): Promise<void> => undefined;
  beforeAll(async () => {
    service = await startService({
      now,
      signIn: ({ isPassword }) => ({
        isPassword: async (passwordHash, password, owner) => {
          verified.push(passwordHash);
          await whileVerifying();
          return isPassword(passwordHash, password, owner);
        },
      }),
    });
  });
  beforeEach(() => {
    whileVerifying = async () => undefined;
  });
  afterAll(() => service.stop());

  const invite = (owner: Person, email: string) => anInvitation(service, owner, { email, now: now() });
  const accept = (token: string, password: string, more: { code?: string } = {}, browser = new Browser(service)) =>
    browser.post(PATH, { token, password, ...more });
  /** A member who is removed from their only shop. */
  async function removedPerson() {
    const former = await aPerson(service);
    const person = await aPerson(service, { role: 'ADMIN', merchantId: former.merchantId });
    const remove = async () => {
      const answer = await (await loggedIn(service, former)).post(`/v1/dashboard/users/${person.userId}/deactivate`);
      expect(answer.status).toBe(200);
    };
    return { person, former, remove };
  }
  /** With an open invitation of another shop. */
  async function invitedPerson() {
    const { person, former, remove } = await removedPerson();
    await remove();
    const owner = await aPerson(service);
    return { person, former, owner, invitation: await invite(owner, person.email) };
  }
  const membershipsOf = ({ userId }: Person) =>
    service.db.query(
      'select merchant_id, role, is_active from memberships where user_id = $1 order by created_at, merchant_id',
      [userId],
    );
  const auditAt = ({ merchantId }: Person, after: number) =>
    service.db.query<{ action: string; actor: string }>(
      'select action, actor from audit_log where merchant_id = $1 order by at, id offset $2',
      [merchantId, after],
    );

  it('a person who was removed from their only shop becomes a member of the inviting one', async () => {
    const { person, former, owner, invitation } = await invitedPerson();
    const known = (await auditAt(owner, 0)).length;
    expect(await new Browser(service).logIn(person)).toMatchObject({ status: 401 });
    await expect(
      new Browser(service).post('/v1/auth/invitations/accept', { token: invitation.token, password: person.password }),
    ).resolves.toMatchObject({ status: 409, body: { code: 'EMAIL_TAKEN' } });
    const browser = new Browser(service);

    const answer = await accept(invitation.token, person.password, {}, browser);

    expect(answer).toMatchObject({
      status: 200,
      body: { user: { id: person.userId, role: 'REVIEWER', merchant: { id: owner.merchantId } } },
    });
    expect((await browser.me()).body.merchants).toMatchObject([{ id: owner.merchantId, role: 'REVIEWER' }]);
    expect((await browser.refresh()).status).toBe(200);
    expect(await membershipsOf(person)).toEqual([
      { merchant_id: former.merchantId, role: 'ADMIN', is_active: false },
      { merchant_id: owner.merchantId, role: 'REVIEWER', is_active: true },
    ]);
    expect(await auditAt(owner, known)).toEqual([
      { action: 'user.joined', actor: `user:${person.userId}` },
      { action: 'invitation.accepted', actor: `user:${person.userId}` },
      { action: 'user.logged_in', actor: `user:${person.userId}` },
    ]);
    expect((await new Browser(service).logIn(person)).body.user.merchant.id).toBe(owner.merchantId);
    expect(await accept(invitation.token, person.password)).toMatchObject(NOT_VALID);
  });

  it('sets the cookies of a log-in, and the browser is known afterwards', async () => {
    const { person, invitation } = await invitedPerson();
    const browser = new Browser(service);

    const { headers } = await accept(invitation.token, person.password, {}, browser);

    const cookies = headers.getSetCookie();
    expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual(['pay_refresh', 'pay_browser']);
    for (const cookie of cookies) expect(cookie).toMatch(/; Path=\/v1\/auth; .*HttpOnly; Secure; SameSite=Strict$/);
    for (let turn = 0; turn < 5; turn++) await new Browser(service).logIn({ ...person, password: 'a guess' });
    expect((await new Browser(service).logIn(person)).status).toBe(429);
    expect((await browser.logIn(person)).status).toBe(200);
  });

  it('a member of another shop joins, and the sessions there continue', async () => {
    const [owner, person] = [await aPerson(service), await aPerson(service)];
    const there = await loggedIn(service, person);
    const { token } = await invite(owner, person.email);

    const answer = await accept(token, person.password);

    expect(answer.body.user).toMatchObject({ role: 'REVIEWER', merchant: { id: owner.merchantId } });
    expect((await there.me()).body).toMatchObject({
      user: { role: 'OWNER', merchant: { id: person.merchantId } },
      merchants: [{ id: person.merchantId }, { id: owner.merchantId }],
    });
  });

  it('accepts an invitation whose e-mail address was written in upper case', async () => {
    const { person, remove } = await removedPerson();
    await remove();
    const owner = await aPerson(service);
    const input = { merchantId: owner.merchantId, session: owner, name: 'Salma', role: 'VIEWER' as const };
    const email = person.email.toUpperCase();
    await service.change((deps, tx) => createInvitation({ ...deps, ...service.mailDeps }, tx, { ...input, email }));
    const mail = await eventually(() => service.sent.find(({ to }) => to === person.email), 'the mail is sent');
    const [, token] = /invitations\/login {2}\{"token": "([\w-]{43})"/.exec(mail.text)!;

    await expect(accept(token!, person.password)).resolves.toMatchObject({
      status: 200,
      body: { user: { role: 'VIEWER', merchant: { id: owner.merchantId } } },
    });
  });

  it('verifies and counts no password without a valid token, and answers every invalid one alike', async () => {
    const { person, former } = await invitedPerson();
    const [owner, closed] = [await aPerson(service), await aPerson(service)];
    const [revoked, ofClosed] = [await invite(owner, person.email), await invite(closed, person.email)];
    await service.db.transaction((tx) => revokeStoredInvitation(tx, revoked.id, now()));
    await service.change((deps, tx) =>
      changeMerchant(deps, tx, { merchantId: closed.merchantId, change: { isActive: false } }),
    );
    const expired = await anInvitation(service, owner, {
      email: person.email,
      now: new Date(now().getTime() - 2 * 86_400_000),
    });
    const known = (await auditAt(former, 0)).length;
    verified.length = 0;

    const answers = [];
    for (const token of [randomUUID(), revoked.token, ofClosed.token, expired.token])
      for (const password of [person.password, 'a guess']) answers.push(await accept(token, password));

    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(answers[0]).toMatchObject(NOT_VALID);
    expect(verified).toEqual([]);
    expect(await auditAt(former, known)).toEqual([]);
  });

  it('wrong passwords and those of log-ins use up the same limit, also if the address has no account', async () => {
    const { person, invitation } = await invitedPerson();
    const nobody = await invite(await aPerson(service), `${randomUUID()}@shop.example`);
    const statusesOf = async ({ email, token }: { email: string; token: string }) => {
      const statuses: number[] = [];
      for (let turn = 0; turn < 3; turn++) {
        statuses.push((await accept(token, 'a wrong guess')).status);
        statuses.push((await new Browser(service).logIn({ email, password: 'a wrong guess' })).status);
      }
      return statuses;
    };

    expect(await statusesOf(invitation)).toEqual([401, 401, 401, 401, 401, 429]);
    expect(await statusesOf(nobody)).toEqual([401, 401, 401, 401, 401, 429]);
    expect(await accept(invitation.token, person.password)).toMatchObject({
      status: 429,
      body: { code: 'RATE_LIMITED' },
    });
    expect(await membershipsOf(person)).toHaveLength(1);
  });

  it('a success forgets the failures before it', async () => {
    const { person, invitation } = await invitedPerson();
    for (let turn = 0; turn < 4; turn++) await accept(invitation.token, 'a wrong guess');
    expect((await accept(invitation.token, person.password)).status).toBe(200);

    for (let turn = 0; turn < 4; turn++) await new Browser(service).logIn({ ...person, password: 'a guess' });

    expect((await new Browser(service).logIn(person)).status).toBe(200);
  });

  it('answers as a log-in whether the password is wrong, the address has no account or the account is erased', async () => {
    const [known, erased] = [await invitedPerson(), await invitedPerson()];
    const nobody = await invite(known.owner, `${randomUUID()}@shop.example`);
    await service.db.execute('update users set deleted_at = now(), version = version + 1 where id = $1', [
      erased.person.userId,
    ]);
    verified.length = 0;

    const answers = [
      await accept(known.invitation.token, 'a wrong guess'),
      await accept(nobody.token, 'a wrong guess'),
      await accept(erased.invitation.token, erased.person.password),
    ];

    for (const { status, body } of answers) expect({ status, body }).toEqual(REFUSED);
    expect(verified).toEqual([
      expect.stringMatching(/^\$argon2id\$/),
      undefined,
      expect.stringMatching(/^\$argon2id\$/),
    ]);
    expect(await membershipsOf(erased.person)).toHaveLength(1);
  });

  it('a failure is in the audit log of the own shop of the person and hidden from the inviting one', async () => {
    const { person, former, owner, invitation } = await invitedPerson();
    const [before, beforeInviting] = [(await auditAt(former, 0)).length, (await auditAt(owner, 0)).length];

    for (let turn = 0; turn < 5; turn++) await accept(invitation.token, 'a wrong guess');

    expect((await auditAt(former, before)).map(({ action }) => action)).toEqual([
      ...Array.from({ length: 5 }, () => 'user.login_failed'),
      'user.login_limited',
    ]);
    expect(await auditAt(owner, beforeInviting)).toEqual([]);
    const inviting = await loggedIn(service, owner);
    expect((await inviting.get('/v1/dashboard/users')).body.data.map(({ id }: { id: string }) => id)).toEqual([
      owner.userId,
    ]);
    await expect(service.mailTo(person.email)).resolves.toMatchObject({ subject: expect.stringContaining('Failed') });
  });

  describe('of an account with a second factor', () => {
    const codeOf = (secret: string, periods = 0) =>
      TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: now().getTime() + periods * 30_000 });

    async function invitedWithFactor() {
      const { person, remove } = await removedPerson();
      const browser = await loggedIn(service, person);
      const { secret } = (await browser.post('/v1/auth/2fa/enrol', { password: person.password })).body;
      const { recoveryCodes } = (await browser.post('/v1/auth/2fa/confirm', { code: codeOf(secret) })).body;
      await remove();
      // To the beginning of the next period, in which no code has been used.
      ahead += 30_000 - (now().getTime() % 30_000);
      const [owner, other] = [await aPerson(service), await aPerson(service)];
      const [first, second] = [await invite(owner, person.email), await invite(other, person.email)];
      return { person, first, second, secret: secret as string, recoveryCodes: recoveryCodes as string[] };
    }

    it('requires a code, which only a right password reveals, and refuses a wrong one like a wrong password', async () => {
      const { person, first, secret, recoveryCodes } = await invitedWithFactor();

      expect(await accept(first.token, person.password)).toMatchObject({
        status: 401,
        body: { code: 'TOTP_REQUIRED' },
      });
      for (const [password, code] of [
        ['a wrong guess', codeOf(secret)],
        [person.password, codeOf(secret, -9)],
        [person.password, 'AAAA-BBBB-CCCC-DDDD'],
      ] as const) {
        const { status, body } = await accept(first.token, password, { code });
        expect({ status, body }).toEqual(REFUSED);
      }
      expect(await membershipsOf(person)).toHaveLength(1);

      expect((await accept(first.token, person.password, { code: recoveryCodes[0]! })).status).toBe(200);
    });

    it('accepts a code once, in all invitations and log-ins together', async () => {
      const { person, first, second, secret } = await invitedWithFactor();
      const code = codeOf(secret);

      const answers = await Promise.all([first, second].map(({ token }) => accept(token, person.password, { code })));

      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
      expect((await new Browser(service).logIn(person, code)).status).toBe(401);
      expect((await new Browser(service).logIn(person, codeOf(secret, 1))).status).toBe(200);
    });
  });

  it('an invitation is accepted once by concurrent requests', async () => {
    const { person, invitation } = await invitedPerson();

    const answers = await Promise.all([1, 2, 3].map(() => accept(invitation.token, person.password)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    expect(await membershipsOf(person)).toHaveLength(2);
  });

  it.each(['right', 'wrong'])(
    'an invitation that is revoked during the verification of a %s password is refused',
    async (kind) => {
      const { person, invitation } = await invitedPerson();
      whileVerifying = async () => {
        await service.db.transaction((tx) => revokeStoredInvitation(tx, invitation.id, now()));
      };

      const answer = await accept(invitation.token, kind === 'right' ? person.password : 'a wrong guess');

      expect(answer).toMatchObject(NOT_VALID);
      expect(await membershipsOf(person)).toHaveLength(1);
    },
  );

  it('is accepted without a deadlock while a manager of the inviting shop changes the same person', async () => {
    const { person, owner, invitation } = await invitedPerson();
    const manager = await service.tokenOf(owner.userId);
    const path = `${service.url}/v1/dashboard/users/${person.userId}/deactivate`;
    let merchant: Awaited<ReturnType<typeof lockedRow>> | undefined;
    let deactivating: Promise<unknown> = Promise.resolve();
    whileVerifying = async () => {
      merchant = await lockedRow(service, 'select from merchants where id = $1 for update', [owner.merchantId]);
      deactivating = call(path, 'POST', manager);
      await merchant.waiters(1);
    };

    const accepting = accept(invitation.token, person.password);
    await eventually(() => merchant, 'the password is verified');
    await merchant!.waiters(2);
    await merchant!.release();

    await expect(deactivating).resolves.toMatchObject({ status: 404 });
    await expect(accepting).resolves.toMatchObject({ status: 200 });
  });

  it('does not let a person back into a shop that has removed them', async () => {
    const { person, former, remove } = await removedPerson();
    const { token } = await invite(former, person.email);
    await remove();
    verified.length = 0;

    await expect(accept(token, person.password)).resolves.toMatchObject({
      status: 409,
      body: { code: 'ALREADY_MEMBER' },
    });

    expect(verified).toEqual([]);
    expect(await membershipsOf(person)).toMatchObject([{ is_active: false }]);
  });
});

describe('log-in with an invitation: 10 per minute per address, here 3', () => {
  let service: ServiceUnderTest;
  beforeAll(async () => {
    service = await startService({ LOGIN_LIMIT_PER_ADDRESS: 3 });
  });
  afterAll(() => service.stop());

  const statusesOf = async (tokens: readonly string[]) => {
    await service.db.execute('truncate login_attempts');
    const statuses: number[] = [];
    for (const token of tokens)
      statuses.push((await new Browser(service).post(PATH, { token, password: 'a guess' })).status);
    return statuses;
  };

  it('limits requests with unknown tokens', async () => {
    expect(await statusesOf(Array.from({ length: 4 }, randomUUID))).toEqual([422, 422, 422, 429]);
  });

  it('counts a log-in once', async () => {
    const { email } = await aPerson(service);
    const { token } = await anInvitation(service, await aPerson(service), { email, now: new Date() });

    expect(await statusesOf([token, token, token, token])).toEqual([401, 401, 401, 429]);
  });
});
