import { apiKeyScopeSchema, type ApiKeyScope, type Environment } from '@pay/contracts';
import { isWellFormedCredential } from '@pay/directory';
import { failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { addReceiverAccount } from '../src/receivers/add-receiver-account';
import { isPassword, OPERATOR } from '../src/sign-in/passwords';
import { attachReceivers } from '../src/devices/attach-receivers';
import { changeMerchant } from '../src/merchants/change-merchant';
import { connectDevice } from '../src/devices/connect-device';
import { createMerchant } from '../src/merchants/create-merchant';
import { createUser } from '../src/people/create-user';
import { users } from '../src/db/tables';
import { disableDevice } from '../src/devices/disable-device';
import { issueApiKey } from '../src/api-keys/issue-api-key';
import { lockApiKey } from '../src/api-keys/lock-api-key';
import { replaceDeviceKey } from '../src/devices/replace-device-key';
import { revokeApiKey } from '../src/api-keys/revoke-api-key';
import { setPassword } from '../src/sign-in/set-password';
import { setReceiverAccountActive } from '../src/receivers/set-receiver-account-active';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('dashboard-api changes', () => {
  let service: ServiceUnderTest;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const SCOPES: readonly ApiKeyScope[] = apiKeyScopeSchema.options;

  async function aMerchant(): Promise<string> {
    const input = { name: 'Boi Bazar', enabledMethods: ['BKASH_PAYMENT' as const] };
    return (await service.change((deps, tx) => createMerchant(deps, tx, input))).merchantId;
  }

  async function aTenant(environment: Environment = 'SANDBOX') {
    return { merchantId: await aMerchant(), environment };
  }

  const aKey = async (tenant: { merchantId: string; environment: Environment }) =>
    service.change((deps, tx) => issueApiKey(deps, tx, { tenant, name: 'Shop', scopes: SCOPES }));

  const aReceiver = async (tenant: { merchantId: string; environment: Environment }, msisdn = '01712345678') =>
    (
      await service.change((deps, tx) =>
        addReceiverAccount(deps, tx, { tenant, paymentMethod: 'BKASH_PAYMENT', msisdn }),
      )
    ).receiverAccountId;

  const aDevice = async (tenant: { merchantId: string; environment: Environment }) =>
    service.change((deps, tx) => connectDevice(deps, tx, { tenant, name: 'Phone', sims: [] }));

  const versionsOf = async (id: string) => (await service.announced(id)).map((event) => [event.type, event.sequence]);
  const actionsOf = async (id: string) => (await service.audited(id)).map((row) => row.action);

  describe('merchants', () => {
    it('each change takes a version, an audit entry with before and after, and an event with the full state', async () => {
      const id = await aMerchant();

      await service.change((deps, tx) => changeMerchant(deps, tx, { merchantId: id, change: { isActive: false } }));

      const [created, changed] = await service.announced(id);
      expect(created).toMatchObject({ type: 'merchant.changed', merchantId: id, environment: null, sequence: 1 });
      expect(changed?.data).toEqual({
        id,
        version: 2,
        deleted: false,
        name: 'Boi Bazar',
        isActive: false,
        enabledMethods: ['BKASH_PAYMENT'],
        evidenceRules: null,
        branding: null,
        checkout: null,
        support: null,
      });
      const audit = await service.audited(id);
      expect(audit).toMatchObject([
        {
          actor: 'test',
          action: 'merchant.created',
          merchant_id: id,
          before: null,
          after: { version: 1, isActive: true },
        },
        {
          actor: 'test',
          action: 'merchant.changed',
          before: { isActive: true },
          after: { version: 2, isActive: false },
        },
      ]);
    });

    it('a change to the current value writes nothing', async () => {
      const id = await aMerchant();

      await service.change((deps, tx) => changeMerchant(deps, tx, { merchantId: id, change: { name: 'Boi Bazar' } }));

      await expect(versionsOf(id)).resolves.toEqual([['merchant.changed', 1]]);
      await expect(actionsOf(id)).resolves.toEqual(['merchant.created']);
    });

    it('when a transaction fails, neither row nor audit entry nor event stays', async () => {
      const id = uuidv7();

      await expect(
        service.change(async (deps, tx) => {
          await createMerchant(deps, tx, { id, name: 'Boi Bazar', enabledMethods: [] });
          throw new Error('the caller gives up');
        }),
      ).rejects.toThrow('the caller gives up');

      await expect(service.announced(id)).resolves.toEqual([]);
      await expect(service.audited(id)).resolves.toEqual([]);
      await expect(service.db.query('select from merchants where id = $1', [id])).resolves.toEqual([]);
    });
  });

  describe('API keys', () => {
    it('a key is answered once; its hash alone is stored and announced, and never audited', async () => {
      const tenant = await aTenant('LIVE');

      const { apiKeyId, apiKey } = await aKey(tenant);

      expect(apiKey).toMatch(/^sk_live_/);
      expect(isWellFormedCredential(apiKey)).toBe(true);
      const [event] = await service.announced(apiKeyId);
      expect(event).toMatchObject({
        type: 'api_key.changed',
        ...tenant,
        data: { ...tenant, scopes: SCOPES, isLocked: false },
      });
      const everything = await service.db.query(
        `select (select string_agg(body, '') from outbox) || (select string_agg(k::text, '') from api_keys k)
             || (select string_agg(a::text, '') from audit_log a) as text`,
      );
      expect(everything[0]?.['text']).not.toContain(apiKey);
      const [audit] = await service.audited(apiKeyId);
      expect(audit?.after).not.toHaveProperty('keyHash');
      expect(service.lines.join()).not.toContain(apiKey);
    });

    it('locking, unlocking and revoking take a version each; a second revocation changes nothing', async () => {
      const { apiKeyId } = await aKey(await aTenant());

      await service.change((deps, tx) => lockApiKey(deps, tx, { apiKeyId, isLocked: true }));
      await service.change((deps, tx) => lockApiKey(deps, tx, { apiKeyId, isLocked: false }));
      const first = await service.change((deps, tx) => revokeApiKey(deps, tx, { apiKeyId }));
      const second = await service.change((deps, tx) => revokeApiKey(deps, tx, { apiKeyId }));

      expect(second).toEqual(first);
      await expect(actionsOf(apiKeyId)).resolves.toEqual([
        'api_key.issued',
        'api_key.locked',
        'api_key.unlocked',
        'api_key.revoked',
      ]);
      const events = await service.announced(apiKeyId);
      expect(events.map((event) => event.sequence)).toEqual([1, 2, 3, 4]);
      expect(events[3]?.data).toMatchObject({ version: 4, isLocked: false, revokedAt: first.revokedAt?.toISOString() });
    });

    it('twenty people who lock and unlock concurrently create twenty versions without a gap', async () => {
      const { apiKeyId } = await aKey(await aTenant());

      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          service.change((deps, tx) => lockApiKey(deps, tx, { apiKeyId, isLocked: index % 2 === 0 })),
        ),
      );

      const sequences = (await service.announced(apiKeyId)).map((event) => event.sequence);
      expect(sequences).toEqual(sequences.map((_, index) => index + 1));
      expect(sequences.length).toBeGreaterThan(1);
    });

    it('an expiry in the past, an unknown merchant and an unknown key are refused', async () => {
      const tenant = await aTenant();
      const expiresAt = new Date(Date.now() - 1);
      const other = { ...tenant, merchantId: uuidv7() };

      await expect(
        service.change((deps, tx) => issueApiKey(deps, tx, { tenant, name: 'Shop', scopes: SCOPES, expiresAt })),
      ).rejects.toMatchObject({ name: 'Refusal', field: 'expires' });
      await expect(aKey(other)).rejects.toMatchObject({ name: 'Refusal', field: 'merchant' });
      await expect(service.change((deps, tx) => revokeApiKey(deps, tx, { apiKeyId: uuidv7() }))).rejects.toMatchObject({
        name: 'Refusal',
        field: 'api_key',
      });
    });
  });

  describe('receiver accounts', () => {
    it('are stored in the one form of a number, and switched off and on with a version each', async () => {
      const tenant = await aTenant();

      const id = await aReceiver(tenant, '+880 1712-345678');
      await service.change((deps, tx) =>
        setReceiverAccountActive(deps, tx, { receiverAccountId: id, isActive: false }),
      );

      const events = await service.announced(id);
      expect(events.map((event) => event.data)).toMatchObject([
        { ...tenant, version: 1, msisdn: '01712345678', isActive: true, paymentMethod: 'BKASH_PAYMENT' },
        { ...tenant, version: 2, isActive: false },
      ]);
      await expect(actionsOf(id)).resolves.toEqual(['receiver_account.added', 'receiver_account.switched_off']);
    });

    it('one number is there once per merchant, environment and method, also in a race', async () => {
      const tenant = await aTenant();

      const race = await Promise.allSettled(Array.from({ length: 10 }, () => aReceiver(tenant)));

      expect(race.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const outcome of race) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ name: 'Refusal', field: 'msisdn' });
      }
      await expect(aReceiver({ ...tenant, environment: 'LIVE' })).resolves.toBeDefined();
      await expect(aReceiver(await aTenant())).resolves.toBeDefined();
    });

    it.each(['0171234567', '01212345678', 'bKash', '16247'])('%s is no wallet number', async (msisdn) => {
      await expect(aReceiver(await aTenant(), msisdn)).rejects.toMatchObject({ name: 'Refusal', field: 'msisdn' });
    });
  });

  describe('devices', () => {
    it('carry receivers per SIM slot, which can be added to', async () => {
      const tenant = await aTenant();
      const [one, two] = [await aReceiver(tenant), await aReceiver(tenant, '01812345678')];
      const sims = [{ simSlot: 1, receiverAccountIds: [one] }];
      const { deviceId, deviceKey } = await service.change((deps, tx) =>
        connectDevice(deps, tx, { tenant, name: 'Phone', sims }),
      );

      await service.change((deps, tx) =>
        attachReceivers(deps, tx, { deviceId, simSlot: null, receiverAccountIds: [two] }),
      );

      expect(deviceKey).toMatch(/^dk_test_/);
      const events = await service.announced(deviceId);
      expect(events.map((event) => event.data)).toMatchObject([
        { version: 1, sims },
        { version: 2, sims: [...sims, { simSlot: null, receiverAccountIds: [two] }] },
      ]);
    });

    it("never carry another merchant's or environment's receivers", async () => {
      const tenant = await aTenant();
      const others = [
        await aReceiver(await aTenant()),
        await aReceiver({ ...tenant, environment: 'LIVE' }, '01912345678'),
        uuidv7(),
      ];

      for (const other of others) {
        const sims = [{ simSlot: 1, receiverAccountIds: [other] }];
        const connecting = service.change((deps, tx) => connectDevice(deps, tx, { tenant, name: 'Phone', sims }));
        await expect(connecting).rejects.toMatchObject({ name: 'Refusal', field: 'sim' });
      }
    });

    it('can be disabled, enabled and given another key', async () => {
      const { deviceId } = await aDevice(await aTenant());
      const before = (await service.announced(deviceId))[0]?.data;

      await service.change((deps, tx) => disableDevice(deps, tx, { deviceId, isDisabled: true }));
      await service.change((deps, tx) => disableDevice(deps, tx, { deviceId, isDisabled: false }));
      await service.change((deps, tx) => replaceDeviceKey(deps, tx, { deviceId, deviceKey: 'dk_test_another' }));

      await expect(actionsOf(deviceId)).resolves.toEqual([
        'device.connected',
        'device.disabled',
        'device.enabled',
        'device.key_replaced',
      ]);
      const last = (await service.announced(deviceId)).at(-1)?.data;
      expect(last).toMatchObject({ version: 4, isDisabled: false });
      expect(last).not.toMatchObject({ keyHash: (before as { keyHash: string }).keyHash });
    });
  });

  describe('people', () => {
    const aUser = (merchantId: string, email: string) =>
      service.change((deps, tx) => createUser(deps, tx, { merchantId, email, name: 'Rahim', role: 'OWNER' }));

    it('have a password that is returned once and stored as Argon2id; they are not published', async () => {
      const { userId, password } = await aUser(await aMerchant(), 'Rahim@Boi-Bazar.example');

      const user = await users.find(service.db, userId);
      expect(user).toMatchObject({ email: 'rahim@boi-bazar.example', role: 'OWNER', version: 1 });
      expect(user?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      await expect(isPassword(user?.passwordHash ?? '', password, OPERATOR)).resolves.toBe(true);
      await expect(isPassword(user?.passwordHash ?? '', `${password}.`, OPERATOR)).resolves.toBe(false);
      await expect(service.announced(userId)).resolves.toEqual([]);
      const [audit] = await service.audited(userId);
      expect(JSON.stringify(audit)).not.toMatch(/argon2|passwordHash/);
      expect(JSON.stringify(audit)).not.toContain(password);
    });

    it('an e-mail address has one account, whatever its case and merchant', async () => {
      await aUser(await aMerchant(), 'karim@shop.example');

      await expect(aUser(await aMerchant(), 'KARIM@shop.example')).rejects.toMatchObject({
        name: 'Refusal',
        field: 'email',
      });
    });

    it('a new password is stored and audited without it; the same one changes nothing', async () => {
      const { userId, password } = await aUser(await aMerchant(), 'salma@shop.example');

      await service.change((deps, tx) => setPassword(deps, tx, { userId, password }));
      await service.change((deps, tx) => setPassword(deps, tx, { userId, password: 'another long password' }));

      await expect(actionsOf(userId)).resolves.toEqual(['user.created', 'user.password_set']);
      const user = await users.find(service.db, userId);
      await expect(isPassword(user?.passwordHash ?? '', 'another long password', OPERATOR)).resolves.toBe(true);
    });
  });
});
