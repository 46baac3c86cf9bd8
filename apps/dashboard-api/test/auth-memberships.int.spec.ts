import { randomUUID } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import type { Role } from '@pay/contracts';
import { eventually, failOnLeaks } from '@pay/testing';
import { Secret, TOTP } from 'otpauth';
import { createInvitation } from '../src/people/create-invitation';
import { changeMerchant } from '../src/merchants/change-merchant';
import { parseCommandLine } from '../src/cli/parse-command-line';
import { aPerson, Browser, loggedIn, type Person } from './people';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

const PASSWORD = 'onlysmallletters';

describe('people of several merchants', () => {
  let service: ServiceUnderTest;
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  beforeAll(async () => {
    service = await startService({ now });
  });
  afterAll(() => service.stop());

  /** Invites, and answers the token that the mail to the address holds. */
  async function invite(owner: Person, email: string, role: Role = 'REVIEWER'): Promise<string> {
    const before = service.sent.length;
    const input = { merchantId: owner.merchantId, session: owner, email, name: 'Salma', role };
    await service.change((deps, tx) => createInvitation({ ...deps, ...service.mailDeps }, tx, input));
    const mail = await eventually(() => service.sent.slice(before).find(({ to }) => to === email), 'the mail is sent');
    return /"token": "([\w-]{43})"/.exec(mail.text)![1]!;
  }
  const join = (browser: Browser, token: string) => browser.post('/v1/auth/invitations/join', { token });
  const switchTo = (browser: Browser, merchantId: string) => browser.post('/v1/auth/merchant/switch', { merchantId });
  const list = (browser: Browser) => browser.get('/v1/dashboard/users');
  /** A person with their own merchant who has joined the merchant of `owner` too. */
  async function ofTwo(role: Role = 'REVIEWER') {
    const [owner, person] = [await aPerson(service), await aPerson(service)];
    const browser = await loggedIn(service, person);
    const joined = await join(browser, await invite(owner, person.email, role));
    expect(joined).toMatchObject({ status: 201, body: { merchant: { id: owner.merchantId }, role } });
    return { owner, person, browser };
  }

  it('an invitation to an address with an account is joined by its owner, logged in, and works once', async () => {
    const [owner, person] = [await aPerson(service), await aPerson(service)];
    const token = await invite(owner, person.email);
    const browser = await loggedIn(service, person);

    const answer = await join(browser, token);

    expect(answer.body).toEqual({ merchant: { id: owner.merchantId, name: 'Boi Bazar' }, role: 'REVIEWER' });
    expect((await browser.me()).body.merchants.map(({ id, role }: { id: string; role: Role }) => [id, role])).toEqual([
      [person.merchantId, 'OWNER'],
      [owner.merchantId, 'REVIEWER'],
    ]);
    expect(await join(browser, token)).toMatchObject({ status: 422, body: { code: 'INVITATION_NOT_VALID' } });
    const members = await list(await loggedIn(service, owner));
    expect(members.body.data).toContainEqual(expect.objectContaining({ id: person.userId, role: 'REVIEWER' }));
  });

  it('the inviter cannot accept for another person: neither with their own account nor by a password for the address', async () => {
    const [owner, person] = [await aPerson(service), await aPerson(service)];
    const token = await invite(owner, person.email);

    const own = await join(await loggedIn(service, owner), token);
    const made = await new Browser(service).post('/v1/auth/invitations/accept', { token, password: PASSWORD });

    expect(own).toMatchObject({ status: 422, body: { code: 'INVITATION_NOT_VALID' } });
    expect(made).toMatchObject({ status: 409, body: { code: 'EMAIL_TAKEN' } });
    expect((await join(await loggedIn(service, person), token)).status).toBe(201);
  });

  it('a person without an account who is invited by several merchants creates one, and joins the others', async () => {
    const [one, other] = [await aPerson(service), await aPerson(service)];
    const email = `${randomUUID()}@shop.example`;
    const [first, second] = [await invite(one, email), await invite(other, email, 'ADMIN')];

    const made = await new Browser(service).post('/v1/auth/invitations/accept', { token: first, password: PASSWORD });
    const browser = await loggedIn(service, { ...one, email, password: PASSWORD });

    expect(made.status).toBe(201);
    expect((await join(browser, second)).status).toBe(201);
  });

  it('a session is at one merchant at a time: tokens carry it, and those of the one before are refused', async () => {
    const { owner, person, browser } = await ofTwo();
    const before = browser.copy();

    const answer = await switchTo(browser, owner.merchantId);

    expect(answer.body.user).toMatchObject({ id: person.userId, role: 'REVIEWER', merchant: { id: owner.merchantId } });
    const claims = JSON.parse(Buffer.from(answer.body.accessToken.split('.')[1], 'base64url').toString());
    expect(claims).toMatchObject({ merchantId: owner.merchantId, role: 'REVIEWER' });
    expect((await list(browser)).body.data.map(({ id }: { id: string }) => id)).toContain(owner.userId);
    ahead += 1_001;
    expect((await list(before)).status).toBe(401);
    expect((await before.refresh()).body.user.merchant.id).toBe(owner.merchantId);
    const entries = await service.audited(person.userId);
    expect(entries.at(-1)).toMatchObject({ action: 'user.merchant_switched', merchant_id: owner.merchantId });
  });

  it('changes to the own password and second factor are in the audit log of the merchant of the session', async () => {
    const { owner, person, browser } = await ofTwo();
    await switchTo(browser, owner.merchantId);
    const known = (await service.audited(person.userId)).length;
    const change = { currentPassword: person.password, newPassword: PASSWORD };

    await browser.post('/v1/auth/password/change', change);
    const { secret } = (await browser.post('/v1/auth/2fa/enrol', { password: PASSWORD })).body;
    const code = TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: now().getTime() });
    const { recoveryCodes } = (await browser.post('/v1/auth/2fa/confirm', { code })).body;
    await browser.post('/v1/auth/2fa/disable', { password: PASSWORD, code: recoveryCodes[0] });

    const entries = (await service.audited(person.userId)).slice(known);
    expect(entries.map(({ action, merchant_id }) => [action, merchant_id])).toEqual([
      ['user.password_changed', owner.merchantId],
      ['user.two_factor_begun', owner.merchantId],
      ['user.two_factor_enabled', owner.merchantId],
      ['user.two_factor_disabled', owner.merchantId],
    ]);
    expect(JSON.stringify(entries)).not.toContain(person.merchantId);
  });

  it('a hash that is replaced at a log-in is in the audit log of the merchant of the session', async () => {
    const { owner, person } = await ofTwo();
    const cheap = await hash(person.password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    const replace = 'update users set password_hash = $2, version = version + 1 where id = $1';
    await service.db.execute(replace, [person.userId, cheap]);
    const { email, password } = person;

    await new Browser(service).post('/v1/auth/login', { email, password, merchantId: owner.merchantId });

    const entries = (await service.audited(person.userId)).slice(-2);
    expect(entries.map(({ action, merchant_id }) => [action, merchant_id])).toEqual([
      ['user.password_rehashed', owner.merchantId],
      ['user.logged_in', owner.merchantId],
    ]);
    expect(JSON.stringify(entries)).not.toContain(person.merchantId);
  });

  it('a session cannot be switched to a merchant of another person, nor to one that has removed the person', async () => {
    const { owner, person, browser } = await ofTwo();
    const otherMerchant = await aPerson(service);
    expect(await switchTo(browser, otherMerchant.merchantId)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });

    const manager = await loggedIn(service, owner);
    expect((await manager.post(`/v1/dashboard/users/${person.userId}/deactivate`)).status).toBe(200);

    expect((await switchTo(browser, owner.merchantId)).status).toBe(404);
  });

  it('roles differ by merchant: an OWNER here is a REVIEWER there', async () => {
    const { owner, browser } = await ofTwo();
    const create = () => browser.post('/v1/dashboard/devices', { environment: 'SANDBOX', name: 'Phone' });
    expect((await create()).status).toBe(201);

    await switchTo(browser, owner.merchantId);

    expect(await create()).toMatchObject({ status: 403 });
  });

  it('a manager changes and deactivates a person at the own merchant alone; sessions at others go on', async () => {
    const { owner, person, browser } = await ofTwo('ADMIN');
    const there = await loggedIn(service, person);
    await switchTo(there, owner.merchantId);
    const manager = await loggedIn(service, owner);
    const path = `/v1/dashboard/users/${person.userId}`;

    expect((await manager.patch(path, { role: 'VIEWER' })).body).toMatchObject({ role: 'VIEWER', version: 2 });
    expect((await manager.post(`${path}/deactivate`)).body).toMatchObject({ isActive: false, version: 3 });

    ahead += 1_001;
    expect([(await there.refresh()).status, (await there.me()).status]).toEqual([401, 401]);
    expect((await browser.me()).body.user).toMatchObject({ role: 'OWNER', merchant: { id: person.merchantId } });
    const again = await loggedIn(service, person);
    expect((await again.me()).body.merchants).toHaveLength(1);
  });

  it('a person who is removed by their first merchant logs in at the next one', async () => {
    const { owner, person } = await ofTwo();
    await service.change((deps, tx) =>
      changeMerchant(deps, tx, { merchantId: person.merchantId, change: { isActive: false } }),
    );

    const { body } = await (await loggedIn(service, person)).me();

    expect(body.user).toMatchObject({ role: 'REVIEWER', merchant: { id: owner.merchantId } });
  });

  it('a log-in may name its merchant, and uses the first one of the person if that one does not let the person in', async () => {
    const { owner, person } = await ofTwo();
    const otherMerchant = await aPerson(service);
    const logIn = (merchantId: string) =>
      new Browser(service).post('/v1/auth/login', { email: person.email, password: person.password, merchantId });

    expect((await logIn(owner.merchantId)).body.user.merchant.id).toBe(owner.merchantId);
    expect((await logIn(otherMerchant.merchantId)).body.user.merchant.id).toBe(person.merchantId);
  });

  it('the previous version of the service, with one merchant per person, and this one read the same data', async () => {
    const person = await aPerson(service, { role: 'ADMIN' });
    const owner = await aPerson(service, { merchantId: person.merchantId });
    const rows = () =>
      service.db.query(
        `select u.role, u.is_active, p.role as member_role, p.is_active as member_active
           from users u join memberships p on p.user_id = u.id and p.merchant_id = u.merchant_id where u.id = $1`,
        [person.userId],
      );
    const manager = await loggedIn(service, owner);

    await manager.patch(`/v1/dashboard/users/${person.userId}`, { role: 'VIEWER' });
    await expect(rows()).resolves.toEqual([
      { role: 'VIEWER', is_active: true, member_role: 'VIEWER', member_active: true },
    ]);
    const sql = `update users set role = 'REVIEWER', is_active = false, version = version + 1 where id = $1`;
    await service.db.execute(sql, [person.userId]);

    await expect(rows()).resolves.toEqual([
      { role: 'REVIEWER', is_active: false, member_role: 'REVIEWER', member_active: false },
    ]);
  });

  it('create-owner adds a person with an account, whose password is not changed', async () => {
    const [person, other] = [await aPerson(service), await aPerson(service)];
    const words = ['create-owner', `--merchant=${other.merchantId}`, `--email=${person.email}`];
    const line = parseCommandLine(words);
    if (line.kind !== 'run') throw new Error('only help');
    const run = () => service.change((deps, tx) => line.command.run(deps, tx, line.input));

    await expect(run()).resolves.toMatchObject({ userId: person.userId, role: 'OWNER', password: null });

    await expect(run()).rejects.toThrow('belongs to this merchant already');
    expect((await (await loggedIn(service, person)).me()).body.merchants).toHaveLength(2);
  });
});
