import type { DeviceFact } from '@pay/contracts';
import { hashKey } from '@pay/http';
import { eventually, failOnLeaks } from '@pay/testing';
import { deviceOfHook, newCredential, newHookId } from '../src/index';
import {
  aDevice,
  anApiKey,
  announce,
  copyUnderTest,
  ownerUnderTest,
  type CopyUnderTest,
  type OwnerUnderTest,
  type Replica,
} from './copy-under-test';

failOnLeaks();

describe('directory look-up', () => {
  let copy: CopyUnderTest;
  let owner: OwnerUnderTest;
  let replica: Replica;

  beforeEach(async () => {
    copy = await copyUnderTest();
    owner = await ownerUnderTest();
    replica = await copy.replica({ lookup: owner.client });
  });
  afterEach(async () => {
    await copy.dispose();
    await owner.close();
  });

  describe('an unknown credential', () => {
    it('is looked up once for concurrent requests, works immediately, and is stored', async () => {
      const { key, fact } = anApiKey();
      owner.known.set(fact.keyHash, { apiKey: fact });

      const answers = await Promise.all(Array.from({ length: 100 }, () => replica.directory.findApiKey(key)));

      expect(answers.every((answer) => answer?.id === fact.id)).toBe(true);
      expect(owner.asked).toEqual([fact.keyHash]);
      const later = await copy.replica();
      await expect(later.directory.findApiKey(key)).resolves.toMatchObject({ id: fact.id });
    });

    it('is looked up in the same way if it is a device key', async () => {
      const { key, fact } = aDevice();
      owner.known.set(fact.keyHash, { device: fact });

      await expect(replica.directory.findDevice(key)).resolves.toMatchObject({ id: fact.id });
      await expect(replica.directory.findDevice(key)).resolves.toMatchObject({ id: fact.id });
      expect(owner.asked).toEqual([fact.keyHash]);
    });

    it('is refused without a second look-up if the owner has revoked it', async () => {
      const { key, fact } = anApiKey({ revokedAt: new Date().toISOString() });
      owner.known.set(fact.keyHash, { apiKey: fact });

      await expect(replica.directory.findApiKey(key)).resolves.toBeUndefined();
      await expect(replica.directory.findApiKey(key)).resolves.toBeUndefined();
      expect(owner.asked).toHaveLength(1);
    });

    it('does not replace a newer version that arrived by event', async () => {
      const { key, fact } = anApiKey();
      owner.known.set(fact.keyHash, { apiKey: fact });
      const revoked = { ...fact, version: 2, revokedAt: new Date().toISOString() };
      owner.onRequest.run = () =>
        replica.db.execute(
          `insert into directory_facts (kind, id, version, deleted, lookup_key, data) values ('api_key', $1, 2, false, $2, $3)`,
          [fact.id, fact.keyHash, JSON.stringify(revoked)],
        );

      await expect(replica.directory.findApiKey(key)).resolves.toBeUndefined();
    });

    it('is looked up once per second, not at every request, if the owner does not know it', async () => {
      const key = newCredential('sk_test_');
      const time = { ms: 0 };
      const { directory } = await copy.replica({ lookup: owner.client, clock: () => time.ms });

      await Promise.all(Array.from({ length: 50 }, () => directory.findApiKey(key)));
      time.ms = 999;
      await directory.findApiKey(key);
      expect(owner.asked).toHaveLength(1);

      time.ms = 1_001;
      await directory.findApiKey(key);
      expect(owner.asked).toHaveLength(2);
    });

    it('does not cause more look-ups than the limit in a flood of invented ones, and known ones are accepted meanwhile', async () => {
      const { key, fact } = anApiKey();
      await announce(replica, 'api_key.changed', fact);
      await eventually(() => replica.directory.findApiKey(key), 'the key has come');
      const startedAt = Date.now();

      for (let wave = 0; wave < 5; wave += 1) {
        const keys = Array.from({ length: 200 }, () => newCredential('sk_test_'));
        const answers = await Promise.all(keys.map((each) => replica.directory.findApiKey(each)));
        expect(answers.every((answer) => answer === undefined)).toBe(true);
        await expect(replica.directory.findApiKey(key)).resolves.toMatchObject({ id: fact.id });
      }

      const seconds = Math.ceil((Date.now() - startedAt) / 1_000);
      expect(owner.asked.length).toBeLessThanOrEqual(100 * (seconds + 1));
      expect(owner.mostAtOnce()).toBeLessThanOrEqual(8);
    });

    it('is not looked up without a valid checksum, not even in the copy', async () => {
      const key = `sk_live_${'a'.repeat(38)}`;
      const { fact } = anApiKey({ keyHash: hashKey(key) });
      await announce(replica, 'api_key.changed', fact);
      await eventually(
        async () => (await replica.db.query('select from directory_facts')).length === 1,
        'the copy has a key of that hash',
      );

      await expect(replica.directory.findApiKey(key)).resolves.toBeUndefined();
      await expect(replica.directory.findApiKey(`sk_test_${'a'.repeat(38)}`)).resolves.toBeUndefined();
      await expect(replica.directory.findDevice('dk_live_short')).resolves.toBeUndefined();

      expect(owner.asked).toEqual([]);
    });
  });

  describe('a forwarder hook', () => {
    const withHook = (change: Partial<DeviceFact> = {}) => {
      const { fact } = aDevice(change);
      const hookId = newHookId(fact.id);
      const hook = { id: fact.id, adapter: 'textbee', hookHash: hashKey(hookId), sealedSecret: null };
      return { hookId, before: fact, fact: { ...fact, version: 2, hooks: [hook] } };
    };
    const find = (hookId: string) => replica.directory.findHook(hookId);

    it('works immediately after its creation, on known and unknown devices', async () => {
      const { hookId, before, fact } = withHook();
      await announce(replica, 'device.changed', before);
      await eventually(async () => (await replica.directory.devices(before)).length === 1, 'the device has come');
      owner.known.set(fact.id, { device: fact });
      const strange = withHook();
      owner.known.set(strange.fact.id, { device: strange.fact });

      const answers = await Promise.all(Array.from({ length: 50 }, () => find(hookId)));

      expect(answers.every((answer) => answer?.device.id === fact.id && answer.hook.adapter === 'textbee')).toBe(true);
      await expect(find(strange.hookId)).resolves.toMatchObject({ device: { id: strange.fact.id } });
      expect(owner.asked).toEqual([fact.id, strange.fact.id]);
    });

    it('is refused after its deletion, after its device is disabled, and with another random part', async () => {
      const { hookId, fact } = withHook();
      await announce(replica, 'device.changed', fact);
      await eventually(() => find(hookId), 'the hook has come');

      const asked = owner.asked.length;
      await announce(replica, 'device.changed', { ...fact, version: 3, isDisabled: true });
      await eventually(async () => (await find(hookId)) === undefined, 'the device is disabled');
      expect(owner.asked).toHaveLength(asked);
      await announce(replica, 'device.changed', { ...fact, version: 4 });
      await eventually(() => find(hookId), 'the device is enabled');
      const gone = { ...fact, version: 5, hooks: [] };
      owner.known.set(fact.id, { device: gone });
      await announce(replica, 'device.changed', gone);
      await eventually(async () => (await find(hookId)) === undefined, 'the hook is deleted');

      await expect(find(newHookId(fact.id))).resolves.toBeUndefined();
      await expect(find(newHookId(withHook().fact.id))).resolves.toBeUndefined();
      await expect(find(`${hookId}A`)).resolves.toBeUndefined();
      expect(deviceOfHook(hookId)).toBe(fact.id);
    });

    it('is answered with SERVICE_UNAVAILABLE while the owner is down, because after "unknown" a forwarder would discard its message', async () => {
      const { hookId, before, fact } = withHook();
      const known = withHook();
      await announce(replica, 'device.changed', before, known.fact);
      await eventually(() => find(known.hookId), 'the devices have come');
      await owner.goDown();

      await expect(find(hookId)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      await expect(find(known.hookId)).resolves.toMatchObject({ device: { id: known.fact.id } });
      await expect(find(newHookId(withHook().fact.id))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      expect(fact.hooks).toHaveLength(1);
    });
  });

  it('known credentials are accepted and others unknown while the owner is down', async () => {
    const { key, fact } = anApiKey();
    await announce(replica, 'api_key.changed', fact);
    await eventually(() => replica.directory.findApiKey(key), 'the key has come');
    await owner.goDown();

    await expect(replica.directory.findApiKey(newCredential('sk_test_'))).resolves.toBeUndefined();
    await expect(replica.directory.findApiKey(key)).resolves.toMatchObject({ id: fact.id });
  });
});
