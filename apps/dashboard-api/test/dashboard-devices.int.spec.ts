import { isWellFormedCredential } from '@pay/directory';
import { hashKey, serviceClient } from '@pay/http';
import { failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import { aDevice, aReceiver, openShop, pairAsPhone, type Shop } from './dashboard-under-test';
import { PEER_SECRETS, startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('devices', () => {
  let service: ServiceUnderTest;
  let shop: Shop;
  beforeAll(async () => {
    service = await startService();
    shop = await openShop(service);
  });
  afterAll(() => service.stop());

  const DEVICES = '/v1/dashboard/devices';
  const REFUSED = { status: 401, body: { code: 'PAIRING_REFUSED' } };
  const begin = async (deviceId: string) => (await shop.people.OWNER.post(`${DEVICES}/${deviceId}/pairing`)).body;
  const wrong = (code: string) => code.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));

  it('are added with their SIMs and no key; receivers are those of the merchant and environment', async () => {
    const [own, live] = [await aReceiver(shop), await aReceiver(shop, { where: 'LIVE' })];
    const sims = [
      { simSlot: 1, receiverAccountIds: [own] },
      { simSlot: null, receiverAccountIds: [] },
    ];

    const { status, body } = await shop.people.OWNER.post(DEVICES, { environment: 'SANDBOX', name: 'Counter', sims });
    const foreign = await shop.people.OWNER.post(DEVICES, {
      environment: 'SANDBOX',
      name: 'Counter',
      sims: [{ simSlot: 1, receiverAccountIds: [live] }],
    });
    const twice = await shop.people.OWNER.patch(`${DEVICES}/${body.id}`, { sims: [...sims, ...sims] });

    expect(status).toBe(201);
    expect(body).toMatchObject({ name: 'Counter', sims, isDisabled: false, pairedAt: null, version: 1 });
    expect(JSON.stringify(body)).not.toMatch(/key/i);
    expect(foreign).toMatchObject({ status: 404, body: { message: expect.stringMatching(/^sims: /) as string } });
    expect(twice).toMatchObject({ status: 400, body: { message: ['sims must not contain a simSlot twice'] } });
    expect((await service.announced(body.id)).map(({ type }) => type)).toEqual(['device.changed']);
  });

  it('are renamed and given other SIMs', async () => {
    const id = await aDevice(shop);
    const sims = [{ simSlot: 2, receiverAccountIds: [await aReceiver(shop)] }];

    const { body } = await shop.people.ADMIN.patch(`${DEVICES}/${id}`, { name: 'Till', sims });

    expect(body).toMatchObject({ name: 'Till', sims, version: 2 });
    await expect(shop.people.VIEWER.get(`${DEVICES}/${id}`)).resolves.toEqual({
      status: 200,
      body: { ...body, lastHeartbeat: null },
    });
  });

  describe('pairing: 8 characters without look-alikes and a QR, 5 minutes, once, void after 5 wrong tries', () => {
    it('issues a key to the phone, limited to merchant and environment, and ends the previous key', async () => {
      const id = await aDevice(shop);

      const first = await begin(id);
      const paired = await pairAsPhone(service, { pairingId: first.pairingId, code: first.code });
      const second = await begin(id);
      const again = await pairAsPhone(service, { pairingId: second.pairingId, code: second.code.toLowerCase() });

      expect(first.code).toMatch(/^[34679AC-HJKMNP-RT-Y]{8}$/);
      expect(JSON.parse(first.qrPayload)).toEqual({
        v: 1,
        url: 'https://api.shop.example',
        path: '/v1/devices/pair',
        pairingId: first.pairingId,
        code: first.code,
      });
      expect(first.qrSvg).toMatch(/^<svg [^]*<\/svg>\s*$/);
      expect(Math.abs(Date.parse(first.expiresAt) - Date.now() - 300_000)).toBeLessThan(60_000);
      expect(paired).toEqual({
        status: 200,
        body: { deviceId: id, deviceKey: expect.stringMatching(/^dk_test_/), environment: 'SANDBOX', name: 'Phone' },
      });
      expect(isWellFormedCredential(paired.body.deviceKey)).toBe(true);
      const hashes = (await service.announced(id)).map(({ data }) => (data as { keyHash: string }).keyHash);
      expect(hashes.slice(1)).toEqual([hashKey(paired.body.deviceKey), hashKey(again.body.deviceKey)]);
      await expect(shop.people.OWNER.get(`${DEVICES}/${id}`)).resolves.toMatchObject({
        body: { pairedAt: expect.any(String), version: 3 },
      });
      expect((await service.audited(id)).map(({ actor, action }) => [actor, action])).toEqual([
        ['test', 'device.added'],
        [`user:${shop.people.OWNER.userId}`, 'device.pairing_begun'],
        [`pairing:${first.pairingId}`, 'device.paired'],
        [`user:${shop.people.OWNER.userId}`, 'device.pairing_begun'],
        [`pairing:${second.pairingId}`, 'device.paired'],
      ]);
    });

    it('the same answer to a wrong, a used, an expired, a replaced and an unknown one', async () => {
      const [used, expired, replaced, open] = [
        await begin(await aDevice(shop)),
        await begin(await aDevice(shop)),
        await aDevice(shop).then(async (id) => ({ ...(await begin(id)), newer: await begin(id) })),
        await begin(await aDevice(shop)),
      ];
      await pairAsPhone(service, used);
      await service.db.execute('update device_pairings set expires_at = now() where id = $1', [expired.pairingId]);

      const answers = [
        await pairAsPhone(service, { ...open, code: wrong(open.code) }),
        await pairAsPhone(service, used),
        await pairAsPhone(service, expired),
        await pairAsPhone(service, { pairingId: replaced.pairingId, code: replaced.code }),
        await pairAsPhone(service, { ...open, pairingId: uuidv7() }),
      ];

      expect(answers).toEqual(answers.map(() => REFUSED));
      await expect(pairAsPhone(service, replaced.newer)).resolves.toMatchObject({ status: 200 });
      await expect(pairAsPhone(service, open)).resolves.toMatchObject({ status: 200 });
    });

    it.each([
      ['four wrong tries leave the code good', 4, 200],
      ['five wrong tries void it, also when they are concurrent', 5, 401],
    ])('%s', async (_name, tries, status) => {
      const pairing = await begin(await aDevice(shop));

      await Promise.all(
        Array.from({ length: tries }, () => pairAsPhone(service, { ...pairing, code: wrong(pairing.code) })),
      );

      await expect(pairAsPhone(service, pairing)).resolves.toMatchObject({ status });
    });

    it('gives one key to ten phones with one code at the same time', async () => {
      const id = await aDevice(shop);
      const pairing = await begin(id);

      // A busy service answers 503, and phones then repeat the request.
      const pair = async (): ReturnType<typeof pairAsPhone> => {
        const answer = await pairAsPhone(service, pairing);
        return answer.status === 503 ? pair() : answer;
      };
      const answers = await Promise.all(Array.from({ length: 10 }, pair));

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(9);
      expect(await service.announced(id)).toHaveLength(2);
    });

    it('is for sms-ingest alone, and not on the public port', async () => {
      const client = serviceClient({
        issuer: 'intent-api',
        audience: 'dashboard-api',
        secret: PEER_SECRETS['intent-api'],
        baseUrl: service.internalUrl,
      });
      const pairing = await begin(await aDevice(shop));

      const asked = client.request('POST', '/internal/v1/devices/pair', { schema: z.any(), body: pairing });

      await expect(asked).rejects.toMatchObject({ status: 403 });
      await client.close();
      const body = JSON.stringify(pairing);
      const headers = { 'content-type': 'application/json' };
      for (const url of [`${service.url}/internal/v1/devices/pair`, `${service.url}/v1/devices/pair`]) {
        expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(404);
      }
    });
  });

  it('a disabled device has no pairing, and one that is disabled meanwhile loses its own', async () => {
    const id = await aDevice(shop);
    const pairing = await begin(id);

    const disabled = await shop.people.OWNER.post(`${DEVICES}/${id}/disable`);
    const asked = await shop.people.OWNER.post(`${DEVICES}/${id}/pairing`);
    const whileDisabled = await pairAsPhone(service, pairing);
    await shop.people.OWNER.post(`${DEVICES}/${id}/enable`);
    const afterwards = await pairAsPhone(service, pairing);

    expect(disabled.body).toMatchObject({ isDisabled: true });
    expect(asked).toMatchObject({ status: 409, body: { code: 'DEVICE_DISABLED' } });
    expect([whileDisabled, afterwards]).toEqual([REFUSED, REFUSED]);
  });

  describe('of a merchant and environment are at most 1,000, without disabled ones', () => {
    const LIMIT_REACHED = { status: 409, body: { code: 'DEVICE_LIMIT_REACHED' } };
    async function aShopWith(count: number): Promise<Shop> {
      const full = await openShop(service);
      await service.db.execute(
        `insert into devices (id, version, merchant_id, environment, name, key_hash, sims, is_disabled, created_at, updated_at)
         select id, 1, $1, 'LIVE', 'Phone', encode(sha256(id::text::bytea), 'hex'), '[]', false, now(), now()
         from (select gen_random_uuid() as id from generate_series(1, $2::int)) new`,
        [full.merchantId, count],
      );
      return full;
    }
    const addTo = ({ people }: Shop, environment = 'LIVE') =>
      people.OWNER.post(DEVICES, { environment, name: 'Phone', sims: [] });

    it('a further one is neither added nor enabled until another is disabled', async () => {
      const full = await aShopWith(999);
      const { body: last } = await addTo(full);

      const refused = await addTo(full);
      const inSandbox = await addTo(full, 'SANDBOX');
      await full.people.OWNER.post(`${DEVICES}/${last.id}/disable`);
      const added = await addTo(full);
      const enabled = await full.people.OWNER.post(`${DEVICES}/${last.id}/enable`);

      for (const response of [refused, enabled]) expect(response).toMatchObject(LIMIT_REACHED);
      expect([inSandbox.status, added.status]).toEqual([201, 201]);
      const again = await full.people.OWNER.post(`${DEVICES}/${added.body.id}/enable`);
      expect(again).toMatchObject({ status: 200, body: { isDisabled: false } });
    });

    it('two requests for the last place add one device', async () => {
      const full = await aShopWith(999);

      const answers = await Promise.all([addTo(full), addTo(full), addTo(full)]);

      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    });
  });
});
