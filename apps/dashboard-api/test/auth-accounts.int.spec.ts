import { randomUUID } from 'node:crypto';
import { failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { changeMerchant } from '../src/merchants/change-merchant';
import { revokeStoredInvitation } from '../src/people/invitation-repository';
import { anInvitation, aPerson, Browser, loggedIn, type Person } from './people';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

const NEW_PASSWORD = 'onlysmallletters';

describe('accounts', () => {
  let service: ServiceUnderTest;
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  beforeAll(async () => {
    service = await startService({ now });
  });
  afterAll(() => service.stop());

  describe('password/change', () => {
    const change = (browser: Browser, currentPassword: string, newPassword: string) =>
      browser.post('/v1/auth/password/change', { currentPassword, newPassword });

    it('ends all other sessions of the user and no sessions of others, and is in the audit log without a hash', async () => {
      const person = await aPerson(service);
      const colleague = await loggedIn(service, await aPerson(service, { merchantId: person.merchantId }));
      const [own, phone, office] = [
        await loggedIn(service, person),
        await loggedIn(service, person),
        await loggedIn(service, person),
      ];

      const answer = await change(own, person.password, NEW_PASSWORD);

      expect(answer).toMatchObject({ status: 200, body: { endedSessions: 2 } });
      expect([(await phone.refresh()).status, (await office.refresh()).status]).toEqual([401, 401]);
      expect([(await own.refresh()).status, (await colleague.refresh()).status]).toEqual([200, 200]);
      ahead += 1_000;
      expect([(await phone.me()).status, (await own.me()).status]).toEqual([401, 200]);
      expect((await new Browser(service).logIn(person)).status).toBe(401);
      expect((await new Browser(service).logIn({ ...person, password: NEW_PASSWORD })).status).toBe(200);
      const entry = (await service.audited(person.userId)).find(({ action }) => action === 'user.password_changed');
      expect(entry).toMatchObject({ actor: `user:${person.userId}` });
      expect(JSON.stringify(entry)).not.toContain('argon2');
    });

    it('requires the current password, and counts wrong ones separately from log-ins', async () => {
      const person = await aPerson(service);
      const browser = await loggedIn(service, person);
      const answers: unknown[] = [];

      for (let turn = 0; turn < 6; turn++) answers.push((await change(browser, 'a guess', NEW_PASSWORD)).body.code);

      expect(answers).toEqual([...Array.from({ length: 5 }, () => 'PASSWORD_WRONG'), 'RATE_LIMITED']);
      expect((await new Browser(service).logIn(person)).status).toBe(200);
    });

    it('failed log-ins elsewhere, and wrong passwords in another session, leave those of this session', async () => {
      const person = await aPerson(service);
      const [browser, thief] = [await loggedIn(service, person), await loggedIn(service, person)];
      for (let turn = 0; turn < 6; turn++) {
        await new Browser(service).logIn({ ...person, password: 'a guess' });
        await change(thief, 'a guess', NEW_PASSWORD);
      }

      await expect(change(browser, person.password, NEW_PASSWORD)).resolves.toMatchObject({ status: 200 });
    });

    it('password rules: 12 to 200 characters, not the e-mail address, not a common one, not the old one', async () => {
      const person = await aPerson(service);
      const browser = await loggedIn(service, person);
      const lengths = [
        ['elevenchars', 'newPassword must be at least 12 characters'],
        ['x'.repeat(201), 'newPassword must be at most 200 characters'],
      ] as const;
      const refusals = [
        [person.email, 'newPassword must not be the e-mail address'],
        ['Password1234', 'newPassword must not be one of the most common passwords'],
        [person.password, 'newPassword must differ from the current password'],
      ] as const;

      for (const [password, sentence] of lengths) {
        await expect(change(browser, person.password, password)).resolves.toMatchObject({
          status: 400,
          body: { message: [sentence] },
        });
      }
      for (const [password, message] of refusals) {
        await expect(change(browser, person.password, password)).resolves.toMatchObject({
          status: 422,
          body: { code: 'PASSWORD_NOT_ALLOWED', message },
        });
      }
      expect((await new Browser(service).logIn(person)).status).toBe(200);
    });
  });

  describe('invitations/accept', () => {
    const invite = (owner: Person, email?: string) =>
      anInvitation(service, owner, { now: now(), ...(email !== undefined && { email }) });
    const accept = (token: string, more: object = {}) =>
      new Browser(service).post('/v1/auth/invitations/accept', { token, password: NEW_PASSWORD, ...more });

    it('makes the account with the role and merchant of the invitation, which can log in', async () => {
      const owner = await aPerson(service);
      const { id, token, email } = await invite(owner);

      const { status, body } = await accept(token, { name: 'Salma Begum', role: 'OWNER', merchantId: uuidv7() });

      expect(status).toBe(201);
      expect(body).toMatchObject({ email, name: 'Salma Begum', role: 'REVIEWER', merchant: { id: owner.merchantId } });
      expect((await new Browser(service).logIn({ email, password: NEW_PASSWORD })).status).toBe(200);
      await expect(service.audited(id)).resolves.toMatchObject([
        { action: 'invitation.accepted', actor: `user:${body.id}`, after: { userId: body.id } },
      ]);
      await expect(service.audited(body.id)).resolves.toMatchObject([
        { action: 'user.created', actor: `user:${body.id}` },
        { action: 'user.logged_in' },
      ]);
    });

    it('a token works once, also in concurrent requests', async () => {
      const { token } = await invite(await aPerson(service));

      const answers = await Promise.all([accept(token), accept(token)]);

      expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    });

    it('an unknown, used, revoked and expired invitation, and one of a merchant that is off, are answered alike', async () => {
      const owner = await aPerson(service);
      const closed = await aPerson(service);
      const [used, revoked, ofClosed] = [await invite(owner), await invite(owner), await invite(closed)];
      await accept(used.token);
      await service.db.transaction((tx) => revokeStoredInvitation(tx, revoked.id, now()));
      await service.change((deps, tx) =>
        changeMerchant(deps, tx, { merchantId: closed.merchantId, change: { isActive: false } }),
      );
      const expired = await invite(owner);

      const answers = [
        await accept(randomUUID()),
        await accept(used.token),
        await accept(revoked.token),
        await accept(ofClosed.token),
      ];
      ahead += 2 * 86_400_000;
      answers.push(await accept(expired.token));

      expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
      expect(answers[0]).toMatchObject({ status: 422, body: { code: 'INVITATION_NOT_VALID' } });
    });

    it('keeps the password rules, and refuses an address that has an account by now', async () => {
      const owner = await aPerson(service);
      const { token, email } = await invite(owner);
      const taken = await invite(owner, owner.email);

      await expect(accept(token, { password: email })).resolves.toMatchObject({
        status: 422,
        body: { code: 'PASSWORD_NOT_ALLOWED', message: 'password must not be the e-mail address' },
      });
      await expect(accept(taken.token)).resolves.toMatchObject({ status: 409, body: { code: 'EMAIL_TAKEN' } });
      expect((await accept(token)).status).toBe(201);
    });
  });
});
