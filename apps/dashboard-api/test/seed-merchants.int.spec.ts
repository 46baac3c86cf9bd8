import { failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { setReceiverAccountActive } from '../src/receivers/set-receiver-account-active';
import { revokeApiKey } from '../src/api-keys/revoke-api-key';
import { seedMerchants } from '../src/seed/seed-merchants';
import { randomSeed } from '../src/seed/random-seed';
import type { SeedMerchant } from '../src/seed/seed-file';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('seedMerchants', () => {
  let service: ServiceUnderTest;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  /** One random merchant; the address is its own, so that tests do not meet. */
  function aSeed(): SeedMerchant {
    const [merchant] = randomSeed().merchants;
    return { ...merchant!, owner: { ...merchant!.owner, email: `${uuidv7()}@shop.example` } };
  }

  const seed = async (...merchants: SeedMerchant[]) =>
    (await service.change((deps, tx) => seedMerchants(deps, tx, { merchants }))).merchants;

  const auditCount = async (merchantId: string) =>
    (await service.db.query('select from audit_log where merchant_id = $1', [merchantId])).length;

  it('the device of each environment carries all its receivers on any slot', async () => {
    const [merchant] = await seed(aSeed());

    for (const { deviceId, receivers } of [merchant!.sandbox, merchant!.live]) {
      expect(receivers).toHaveLength(6);
      const receiverAccountIds = receivers.map(({ id }) => id);
      await expect(service.db.query('select sims from devices where id = $1', [deviceId])).resolves.toEqual([
        { sims: [{ simSlot: null, receiverAccountIds }] },
      ]);
    }
  });

  it('the merchant has the logo and the contact of the seed', async () => {
    const merchant = aSeed();
    const [seeded] = await seed(merchant);

    await expect(
      service.db.query('select branding, support from merchants where id = $1', [seeded!.id]),
    ).resolves.toEqual([{ branding: merchant.branding, support: merchant.support }]);
  });

  it('a seed without ids finds its merchant and devices again', async () => {
    const { id: _, ...merchant } = aSeed();
    const { deviceId: _one, ...sandbox } = merchant.sandbox;
    const { deviceId: _two, ...live } = merchant.live;

    const first = await seed({ ...merchant, sandbox, live });
    const second = await seed({ ...merchant, sandbox, live });

    expect(second).toEqual(first);
  });

  it('two concurrent seeds of one file create it once', async () => {
    const merchant = aSeed();

    const [one, other] = await Promise.all([seed(merchant), seed(merchant)]);

    expect(other).toEqual(one);
  });

  it('leaves what people have changed since: a revoked key stays revoked, a receiver that is off stays off', async () => {
    const merchant = aSeed();
    const [made] = await seed(merchant);
    const { apiKeyId, receivers } = made!.sandbox;
    const receiverAccountId = receivers[0]!.id;
    await service.change(async (deps, tx) => {
      await revokeApiKey(deps, tx, { apiKeyId });
      await setReceiverAccountActive(deps, tx, { receiverAccountId, isActive: false });
    });
    const before = await auditCount(merchant.id!);

    await seed(merchant);

    await expect(auditCount(merchant.id!)).resolves.toBe(before);
    await expect(
      service.db.query('select revoked_at is null as usable from api_keys where id = $1', [apiKeyId]),
    ).resolves.toEqual([{ usable: false }]);
  });

  it('new secrets for the same merchant replace the device key and the password and add the API key', async () => {
    const old = aSeed();
    const { apiKey, deviceKey } = aSeed().sandbox;
    await seed(old);
    const before = await auditCount(old.id!);

    await seed({
      ...old,
      owner: { ...old.owner, password: 'another long password' },
      sandbox: { ...old.sandbox, apiKey, deviceKey },
    });

    const added = (await auditCount(old.id!)) - before;
    const actions = await service.db.query<{ action: string }>(
      'select action from audit_log where merchant_id = $1 order by at desc, id desc limit $2',
      [old.id, added],
    );
    expect(actions.map(({ action }) => action).sort()).toEqual([
      'api_key.issued',
      'device.key_replaced',
      'user.password_set',
    ]);
  });

  it("a seed that claims another merchant's key, device or address is refused whole", async () => {
    const theirs = aSeed();
    await seed(theirs);
    const mine = aSeed();
    const claims: [string, SeedMerchant][] = [
      ['apiKey', { ...mine, sandbox: { ...mine.sandbox, apiKey: theirs.sandbox.apiKey } }],
      ['deviceKey', { ...mine, live: { ...mine.live, deviceId: theirs.live.deviceId } }],
      ['owner', { ...mine, owner: theirs.owner }],
    ];

    for (const [field, claim] of claims) {
      await expect(seed(claim)).rejects.toMatchObject({ name: 'Refusal', field });
    }

    await expect(service.db.query('select from merchants where id = $1', [mine.id])).resolves.toEqual([]);
  });
});
