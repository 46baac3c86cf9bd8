import { eventually, failOnLeaks, promptly } from '@pay/testing';
import {
  aDevice,
  aMerchant,
  anApiKey,
  announce,
  aReceiverAccount,
  copyUnderTest,
  type CopyUnderTest,
  type Replica,
} from './copy-under-test';

failOnLeaks();

describe('directory', () => {
  let copy: CopyUnderTest;
  let one: Replica;
  let other: Replica;

  beforeAll(async () => {
    copy = await copyUnderTest();
    one = await copy.replica();
    other = await copy.replica();
  });
  afterAll(() => copy.dispose());

  const storedVersion = async (id: string): Promise<number> => {
    const [row] = await one.db.query<{ version: string }>('select version from directory_facts where id = $1', [id]);
    return Number(row?.version ?? 0);
  };

  describe('the copy', () => {
    it('keeps the newest version, in any order of arrival', async () => {
      const merchant = aMerchant({ name: 'first' });

      await announce(one, 'merchant.changed', { ...merchant, version: 3, name: 'third' });
      await eventually(async () => (await storedVersion(merchant.id)) === 3, 'the third version is stored');
      await announce(one, 'merchant.changed', merchant, { ...merchant, version: 2, name: 'second' });
      const last = aMerchant();
      await announce(one, 'merchant.changed', last);
      await eventually(async () => (await storedVersion(last.id)) === 1, 'everything before it has been handled');

      await expect(one.directory.merchant(merchant.id)).resolves.toMatchObject({ version: 3, name: 'third' });
    });

    it('accepts several versions of one fact in one batch', async () => {
      const merchant = aMerchant();
      const versions = [4, 9, 1, 7].map((version) => ({ ...merchant, version }));

      await announce(one, 'merchant.changed', ...versions);

      await eventually(async () => (await storedVersion(merchant.id)) === 9, 'the ninth version is stored');
    });

    it('keeps a key deleted when an older version arrives later', async () => {
      const { key, fact } = anApiKey();
      await announce(one, 'api_key.changed', { ...fact, version: 2, deleted: true });
      await eventually(async () => (await storedVersion(fact.id)) === 2, 'the deletion is stored');

      await announce(one, 'api_key.changed', fact);
      const { key: laterKey, fact: later } = anApiKey();
      await announce(one, 'api_key.changed', later);

      await eventually(() => one.directory.findApiKey(laterKey), 'what came behind it works');
      await expect(one.directory.findApiKey(key)).resolves.toBeUndefined();
    });

    it('returns receivers of a merchant and environment, including inactive ones, without deleted ones', async () => {
      const mine = aReceiverAccount();
      const { merchantId } = mine;
      const off = aReceiverAccount({ merchantId, isActive: false });
      const gone = aReceiverAccount({ merchantId, deleted: true });
      const live = aReceiverAccount({ merchantId, environment: 'LIVE' });
      await announce(one, 'receiver_account.changed', mine, off, gone, live, aReceiverAccount());

      const receivers = await eventually(async () => {
        const found = await one.directory.receiverAccounts({ merchantId, environment: 'SANDBOX' });
        return found.length === 2 && found;
      }, 'the receivers have come');

      expect(receivers.map(({ id }) => id)).toEqual([mine.id, off.id].sort());
    });

    it('stores no devices in a service without them', async () => {
      const keepsKeys = await copyUnderTest();
      const replica = await keepsKeys.replica({ kinds: ['api_key'] });
      const { key, fact } = anApiKey();

      await announce(replica, 'device.changed', aDevice().fact);
      await announce(replica, 'api_key.changed', fact);
      await eventually(() => replica.directory.findApiKey(key), 'the key works');

      await expect(replica.db.query('select distinct kind from directory_facts')).resolves.toEqual([
        { kind: 'api_key' },
      ]);
      await keepsKeys.dispose();
    });
  });

  describe('credentials', () => {
    it('a revoked key stops working in every process in less than two seconds', async () => {
      await promptly(2_000, async () => {
        const { key, fact } = anApiKey();
        await announce(one, 'api_key.changed', fact);
        for (const { directory } of [one, other]) await eventually(() => directory.findApiKey(key), 'the key works');

        const revokedAt = performance.now();
        await announce(one, 'api_key.changed', { ...fact, version: 2, revokedAt: new Date().toISOString() });

        for (const { directory } of [one, other]) {
          await eventually(async () => (await directory.findApiKey(key)) === undefined, 'the key is refused');
        }
        return performance.now() - revokedAt;
      });
    });

    it('a fact that one process applies is removed from the caches of all, before its cached value expires', async () => {
      const { key, fact } = anApiKey();
      await announce(one, 'api_key.changed', fact);
      let version = 1;

      // Without the broadcast, a value that was just loaded stays cached for a whole second.
      await eventually(async () => {
        for (const { directory } of [one, other]) await eventually(() => directory.findApiKey(key), 'the key works');
        const cachedAt = Date.now();
        await announce(one, 'api_key.changed', { ...fact, version: (version += 1), isLocked: true });
        for (const { directory } of [one, other]) {
          await eventually(async () => !(await directory.findApiKey(key)), 'the key is refused');
        }
        const refusedAfter = Date.now() - cachedAt;
        await announce(one, 'api_key.changed', { ...fact, version: (version += 1) });
        return refusedAfter < 600;
      }, 'the key is refused immediately everywhere');
    });

    it('a cached value expires after a second, so changes of the copy without a broadcast are seen', async () => {
      const { key, fact } = anApiKey();
      await announce(one, 'api_key.changed', fact);
      const setLocked = (isLocked: boolean) =>
        one.db.execute('update directory_facts set data = data || $2::jsonb where id = $1', [
          fact.id,
          JSON.stringify({ isLocked }),
        ]);

      await promptly(1_500, async () => {
        const cachedAt = await eventually(async () => {
          await setLocked(false);
          await eventually(() => one.directory.findApiKey(key), 'the key works');
          const at = performance.now();
          await setLocked(true);
          return (await one.directory.findApiKey(key)) !== undefined && at;
        }, 'the key is answered from memory');

        await eventually(async () => (await one.directory.findApiKey(key)) === undefined, 'the key is refused');
        return performance.now() - cachedAt;
      });
    });

    it('a cached key stops working when it expires', async () => {
      let ttlMs = 500;
      await promptly(500, async () => {
        // Each time longer than before, because the key has to be cached before it expires.
        const expiresAt = new Date(Date.now() + (ttlMs *= 2));
        const { key, fact } = anApiKey({ expiresAt: expiresAt.toISOString() });
        await announce(one, 'api_key.changed', fact);
        const isCurrent = async () => (await storedVersion(fact.id)) === 1;
        await eventually(isCurrent, 'the key has come');

        let lastWorked = 0;
        await eventually(async () => {
          const at = Date.now();
          if ((await one.directory.findApiKey(key)) === undefined) return true;
          lastWorked = at;
          return false;
        }, 'the key is refused');

        expect(lastWorked).toBeLessThan(expiresAt.getTime());
        return lastWorked === 0 ? Infinity : Date.now() - expiresAt.getTime();
      });
    });

    it('keys and devices of a merchant stop working while it is switched off', async () => {
      const merchant = aMerchant();
      const { key, fact } = anApiKey({ merchantId: merchant.id });
      const device = aDevice({ merchantId: merchant.id });
      await announce(one, 'merchant.changed', merchant);
      await announce(one, 'api_key.changed', fact);
      await announce(one, 'device.changed', device.fact);
      const works = async () =>
        (await one.directory.findApiKey(key)) !== undefined &&
        (await one.directory.findDevice(device.key)) !== undefined;
      await eventually(works, 'both work');

      await announce(one, 'merchant.changed', { ...merchant, version: 2, isActive: false });
      await eventually(
        async () => !(await one.directory.findApiKey(key)) && !(await one.directory.findDevice(device.key)),
        'both are refused',
      );

      await announce(one, 'merchant.changed', { ...merchant, version: 3 });
      await eventually(works, 'both work again');
    });

    it('a service that copies no merchants checks only the key', async () => {
      const keepsKeys = await copyUnderTest();
      const replica = await keepsKeys.replica({ kinds: ['api_key'] });
      const { key, fact } = anApiKey();

      await announce(replica, 'merchant.changed', aMerchant({ id: fact.merchantId, isActive: false }));
      await announce(replica, 'api_key.changed', fact);

      await eventually(() => replica.directory.findApiKey(key), 'the key works');
      await keepsKeys.dispose();
    });

    it('a device key is not accepted as an API key, nor an API key as a device key', async () => {
      const { key, fact } = anApiKey();
      const device = aDevice();
      await announce(one, 'api_key.changed', fact);
      await announce(one, 'device.changed', device.fact);
      await eventually(() => one.directory.findDevice(device.key), 'the device works');

      await expect(one.directory.findApiKey(device.key)).resolves.toBeUndefined();
      await expect(one.directory.findDevice(key)).resolves.toBeUndefined();
    });
  });
});
