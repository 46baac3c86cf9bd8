import { eventually, failOnLeaks } from '@pay/testing';
import { hashKey } from '@pay/http';
import { uuidv7 } from 'uuidv7';
import { aPerson, aUser, call, lockedRow, openShop, type Person, type Shop } from './dashboard-under-test';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('users and invitations', () => {
  let service: ServiceUnderTest;
  let shop: Shop;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    shop = await openShop(service);
  });

  const USERS = '/v1/dashboard/users';
  const INVITATIONS = '/v1/dashboard/invitations';
  const ownersOf = async ({ merchantId }: Shop) => {
    const sql = `select count(*)::integer as total from users where merchant_id = $1 and role = 'OWNER' and is_active`;
    return (await service.db.query<{ total: number }>(sql, [merchantId]))[0]?.total;
  };

  describe('people', () => {
    it('are listed with their roles, newest first, in pages', async () => {
      const first = await shop.people.VIEWER.get(`${USERS}?limit=2`);
      const second = await shop.people.VIEWER.get(`${USERS}?limit=2&page=2`);

      expect(first.body).toMatchObject({ total: 5, page: 1, limit: 2 });
      expect([...first.body.data, ...second.body.data].map((user) => user.role)).toEqual([
        ...['VIEWER', 'DEVELOPER', 'REVIEWER', 'ADMIN'],
      ]);
      expect(JSON.stringify(first.body)).not.toMatch(/hash|argon2/i);
    });

    it('get another role, and lose their access, within a second and with all their sessions', async () => {
      const person = await aPerson(service, shop.merchantId, 'VIEWER');
      const path = `${USERS}/${person.userId}`;

      await shop.people.ADMIN.patch(path, { role: 'ADMIN' });
      await eventually(async () => (await person.get(INVITATIONS)).status === 200, 'the role counts');
      const gone = await shop.people.OWNER.post(`${path}/deactivate`);
      const token = await service.tokenOf(person.userId);

      expect(gone.body).toMatchObject({ role: 'ADMIN', isActive: false, version: 3 });
      await expect(call(service.url + USERS, 'GET', token)).resolves.toMatchObject({ status: 401 });
      await eventually(async () => (await person.get(USERS)).status === 401, 'the session has ended everywhere');
      await shop.people.OWNER.post(`${path}/reactivate`);
      await eventually(
        async () => (await call(service.url + USERS, 'GET', await service.tokenOf(person.userId))).status === 200,
        'a new session is accepted',
      );
      await expect(person.get(USERS)).resolves.toMatchObject({ status: 401 });
    });

    it('no person can change their own role', async () => {
      const { OWNER, ADMIN } = shop.people;

      for (const person of [OWNER, ADMIN]) {
        await expect(person.patch(`${USERS}/${person.userId}`, { role: 'VIEWER' })).resolves.toMatchObject({
          status: 403,
        });
      }
    });

    it('an ADMIN neither touches an OWNER nor makes one', async () => {
      const { OWNER, ADMIN, VIEWER } = shop.people;
      await aUser(service, shop.merchantId, 'OWNER');

      const answers = [
        await ADMIN.patch(`${USERS}/${OWNER.userId}`, { role: 'VIEWER' }),
        await ADMIN.post(`${USERS}/${OWNER.userId}/deactivate`),
        await ADMIN.post(`${USERS}/${OWNER.userId}/reactivate`),
        await ADMIN.patch(`${USERS}/${VIEWER.userId}`, { role: 'OWNER' }),
        await ADMIN.post(INVITATIONS, { email: 'friend@shop.example', name: 'Friend', role: 'OWNER' }),
      ];

      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
      await expect(ownersOf(shop)).resolves.toBe(2);
    });

    it('the last active OWNER stays', async () => {
      const { OWNER } = shop.people;
      const other = await aPerson(service, shop.merchantId, 'OWNER');
      await OWNER.post(`${USERS}/${other.userId}/deactivate`);

      const answer = await OWNER.post(`${USERS}/${OWNER.userId}/deactivate`);

      expect(answer).toMatchObject({ status: 409, body: { code: 'LAST_OWNER' } });
      await expect(ownersOf(shop)).resolves.toBe(1);
    });

    it.each([
      ['demote', (user: string) => ['PATCH', user, { role: 'ADMIN' }] as const],
      ['deactivate', (user: string) => ['POST', `${user}/deactivate`, undefined] as const],
    ])('owners who %s each other concurrently leave one owner', async (_name, request) => {
      const owners = [shop.people.OWNER];
      for (let count = 0; count < 3; count += 1) owners.push(await aPerson(service, shop.merchantId, 'OWNER'));

      await Promise.all(
        owners.flatMap((owner) =>
          owners
            .filter((other) => other !== owner)
            .map((other) => {
              const [method, path, body] = request(`${USERS}/${other.userId}`);
              return method === 'PATCH' ? owner.patch(path, body) : owner.post(path);
            }),
        ),
      );

      await expect(ownersOf(shop)).resolves.toBe(1);
    });
  });

  describe('invitations', () => {
    const invite = (change: object = {}) =>
      shop.people.ADMIN.post(INVITATIONS, {
        email: `${uuidv7()}@Shop.example`,
        name: 'Karim',
        role: 'REVIEWER',
        ...change,
      });

    it('send a token to the invited address alone, keep its hash, and last 7 days', async () => {
      const { status, body: rest } = await invite();

      expect(status).toBe(201);
      const mail = await service.mailTo(rest.email);
      const token = /"token": "([\w-]{43})"/.exec(mail.text)![1]!;
      expect(mail.text).toContain('Rahim invites you to Boi Bazar, with the role REVIEWER.');
      expect(JSON.stringify(rest)).not.toContain(token);
      expect(rest).toMatchObject({ name: 'Karim', role: 'REVIEWER', status: 'PENDING', acceptedAt: null });
      expect(rest.email).toBe(rest.email.toLowerCase());
      expect(Date.parse(rest.expiresAt) - Date.parse(rest.createdAt)).toBe(7 * 86_400_000);
      const [row] = await service.db.query('select token_hash from invitations where id = $1', [rest.id]);
      expect(row).toEqual({ token_hash: hashKey(token) });
      const list = await shop.people.ADMIN.get(INVITATIONS);
      expect(list.body).toMatchObject({ data: [rest], total: 1 });
      const text = JSON.stringify([list.body, await service.audited(rest.id), service.lines]);
      expect(text).not.toMatch(new RegExp(`${token}|${hashKey(token)}`));
    });

    it('are for people who do not belong to the merchant, one at a time', async () => {
      const email = `${uuidv7()}@shop.example`;
      const { body } = await invite({ email });
      const [owner] = await service.db.query<{ email: string }>('select email from users where id = $1', [
        shop.people.OWNER.userId,
      ]);

      const answers = [await invite({ email }), await invite({ email: owner?.email.toUpperCase() })];
      await shop.people.ADMIN.post(`${INVITATIONS}/${body.id}/revoke`);

      expect(answers.map((answer) => answer.body.code)).toEqual(['INVITATION_OPEN', 'ALREADY_MEMBER']);
      await expect(invite({ email })).resolves.toMatchObject({ status: 201 });
    });

    it('are at most 50 in 24 hours, revoked ones included and older ones not', async () => {
      const sql = `insert into invitations
          (id, merchant_id, email, name, role, token_hash, expires_at, revoked_at, created_by, created_at)
        select gen_random_uuid(), $1::uuid, n || '@shop.example', 'Karim', 'VIEWER', encode(sha256(gen_random_uuid()::text::bytea), 'hex'), $3::timestamptz, $3, $2::uuid, $3
          from generate_series(1, 49) n`;
      const ago = (ms: number) => new Date(Date.now() - ms);
      for (const createdAt of [ago(0), ago(24 * 3_600_000 + 60_000)])
        await service.db.execute(sql, [shop.merchantId, shop.people.OWNER.userId, createdAt]);

      await expect(invite()).resolves.toMatchObject({ status: 201 });
      await expect(invite()).resolves.toMatchObject({ status: 409, body: { code: 'INVITATION_LIMIT_REACHED' } });
    });

    it('ten concurrent ones for one address create one invitation', async () => {
      const email = `${uuidv7()}@shop.example`;

      const answers = await Promise.all(Array.from({ length: 10 }, () => invite({ email })));

      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ body }) => body.code === 'INVITATION_OPEN')).toHaveLength(9);
    });

    it('show that they are over, and are revoked once', async () => {
      const { body } = await invite();
      const path = `${INVITATIONS}/${body.id}/revoke`;
      const other = (await invite()).body.id;
      await service.db.execute(`update invitations set expires_at = now() where id = $1`, [other]);

      const revoked = await shop.people.ADMIN.post(path);
      const again = await shop.people.ADMIN.post(path);
      const list = await shop.people.ADMIN.get(INVITATIONS);

      expect(again).toEqual(revoked);
      expect(list.body.data.map((each: { status: string }) => each.status)).toEqual(['EXPIRED', 'REVOKED']);
      expect(await service.audited(body.id)).toHaveLength(2);
    });

    it.each([
      ['deactivated', 'OWNER', ['VIEWER', 'OWNER'], ['REVOKED', 'REVOKED']],
      ['made an ADMIN', 'ADMIN', ['VIEWER', 'OWNER'], ['PENDING', 'REVOKED']],
      ['made a VIEWER', 'VIEWER', ['VIEWER', 'ADMIN'], ['REVOKED', 'REVOKED']],
    ])(
      'of a person who is %s end as far as that person may no longer invite',
      async (change, role, roles, expected) => {
        const { OWNER } = shop.people;
        const former = await aPerson(service, shop.merchantId, 'OWNER');
        const send = async (inviter: Person, invitedRole: string) =>
          (await inviter.post(INVITATIONS, { email: `${uuidv7()}@shop.example`, name: 'Karim', role: invitedRole }))
            .body;
        const theirs = [await send(former, roles[0]!), await send(former, roles[1]!)];
        const ofAnother = await send(OWNER, 'OWNER');
        const token = /"token": "([\w-]{43})"/.exec((await service.mailTo(theirs[1].email)).text)![1]!;

        const path = `${USERS}/${former.userId}`;
        const changed = await (change === 'deactivated'
          ? OWNER.post(`${path}/deactivate`)
          : OWNER.patch(path, { role }));

        expect(changed.status).toBe(200);
        const listed: { id: string; status: string }[] = (await OWNER.get(INVITATIONS)).body.data;
        const statusOf = ({ id }: { id: string }) => listed.find((each) => each.id === id)?.status;
        expect([...theirs.map(statusOf), statusOf(ofAnother)]).toEqual([...expected, 'PENDING']);
        expect((await service.audited(theirs[1].id)).at(-1)).toMatchObject({
          action: 'invitation.revoked',
          actor: `user:${OWNER.userId}`,
        });
        const accept = { token, password: 'onlysmallletters' };
        const accepted = await call(`${service.url}/v1/auth/invitations/accept`, 'POST', undefined, accept);
        expect(accepted).toMatchObject({ status: 422, body: { code: 'INVITATION_NOT_VALID' } });
      },
    );

    it('are accepted while their inviter is deactivated without a deadlock', async () => {
      const former = await aPerson(service, shop.merchantId, 'OWNER');
      const request = { email: `${uuidv7()}@shop.example`, name: 'Karim', role: 'VIEWER' };
      const { body } = await former.post(INVITATIONS, request);
      const token = /"token": "([\w-]{43})"/.exec((await service.mailTo(body.email)).text)![1]!;
      const merchant = await lockedRow(service, 'select from merchants where id = $1 for update', [shop.merchantId]);

      const deactivating = shop.people.OWNER.post(`${USERS}/${former.userId}/deactivate`);
      await merchant.waiters(1);
      const accept = { token, password: 'onlysmallletters' };
      const accepting = call(`${service.url}/v1/auth/invitations/accept`, 'POST', undefined, accept);
      await merchant.waiters(2);
      await merchant.release();

      await expect(deactivating).resolves.toMatchObject({ status: 200 });
      await expect(accepting).resolves.toMatchObject({ status: 422, body: { code: 'INVITATION_NOT_VALID' } });
    });

    it('that were accepted are not taken back', async () => {
      const { body } = await invite();
      await service.db.execute('update invitations set accepted_at = now() where id = $1', [body.id]);

      await expect(shop.people.ADMIN.post(`${INVITATIONS}/${body.id}/revoke`)).resolves.toMatchObject({
        status: 409,
        body: { code: 'INVITATION_ACCEPTED' },
      });
    });
  });
});
