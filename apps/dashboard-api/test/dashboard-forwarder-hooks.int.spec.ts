import { deviceChangedV1, FORWARDERS, SIGNS_TEXT, type DeviceFact } from '@pay/contracts';
import { deviceOfHook } from '@pay/directory';
import { hashKey, serviceClient } from '@pay/http';
import { failOnLeaks } from '@pay/testing';
import { z } from 'zod';
import { connectDevice } from '../src/devices/connect-device';
import { aDevice, aHook, openShop, type Shop } from './dashboard-under-test';
import { PEER_SECRETS, startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('forwarder hooks', () => {
  let service: ServiceUnderTest;
  let shop: Shop;
  beforeAll(async () => {
    service = await startService();
    shop = await openShop(service);
  });
  afterAll(() => service.stop());

  const at = (deviceId: string) => `/v1/dashboard/devices/${deviceId}/hooks`;
  const factsOf = async (id: string) => (await service.announced(id)).map(({ data }) => deviceChangedV1.parse(data));
  const lookUp = async (deviceId: string): Promise<DeviceFact | null> => {
    const client = serviceClient({
      issuer: 'sms-ingest',
      audience: 'dashboard-api',
      secret: PEER_SECRETS['sms-ingest'],
      baseUrl: service.internalUrl,
    });
    const schema = z.object({ device: deviceChangedV1.nullable() });
    const { device } = await client.request('GET', `/internal/v1/device-facts/${deviceId}`, { schema });
    await client.close();
    return device;
  };

  it('has an unguessable address and a secret that are shown once; elsewhere are a hash and a sealed text', async () => {
    const id = await aDevice(shop);

    const { status, body } = await shop.people.DEVELOPER.post(at(id), { adapter: 'sms-gateway-android' });

    expect(status).toBe(201);
    const { path, signingSecret, ...shown } = body;
    const hookId = path.replace('/v1/sms-events/hooks/sms-gateway-android/', '');
    expect(hookId).toMatch(/^[\w-]{64}$/);
    expect(deviceOfHook(hookId)).toBe(id);
    expect(signingSecret.length).toBeGreaterThanOrEqual(20);
    await expect(shop.people.VIEWER.get(at(id))).resolves.toEqual({ status: 200, body: { data: [shown] } });
    const fact = (await factsOf(id)).at(-1);
    const sealedSecret = fact?.hooks?.[0]?.sealedSecret ?? '';
    expect(fact?.hooks).toEqual([
      { id: body.id, adapter: 'sms-gateway-android', hookHash: hashKey(hookId), sealedSecret },
    ]);
    expect(service.hookSecrets.open(body.id, sealedSecret)).toBe(signingSecret);
    await expect(lookUp(id)).resolves.toEqual(fact);

    const kept = JSON.stringify([
      ...(await service.db.query('select * from devices where id = $1', [id])),
      ...(await service.announced(id)),
      ...(await service.audited(id)),
      ...service.lines,
    ]);
    expect(kept).not.toContain(hookId);
    expect(kept).not.toContain(signingSecret);
    const [, created] = await service.audited(id);
    expect(created).toMatchObject({ actor: `user:${shop.people.DEVELOPER.userId}`, action: 'device.hook_created' });
    expect(created?.after?.['hooks']).toEqual([shown]);
  });

  it('is deleted once, permanently; another one of the same app may exist beside it until then', async () => {
    const id = await aDevice(shop);
    const [old, newer] = [await aHook(shop, id), await aHook(shop, id)];

    const answers = [
      await shop.people.ADMIN.delete(`${at(id)}/${old.hook.id}`),
      await shop.people.ADMIN.delete(`${at(id)}/${old.hook.id}`),
    ];

    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    const { body } = await shop.people.OWNER.get(at(id));
    expect(body.data.map((hook: { id: string }) => hook.id)).toEqual([newer.hook.id]);
    expect((await factsOf(id)).map((fact) => fact.hooks?.length)).toEqual([0, 1, 2, 1]);
    expect((await service.audited(id)).at(-1)?.action).toBe('device.hook_deleted');
  });

  it('takes the secret that the merchant has typed into the app, unless it is short or the app cannot send one', async () => {
    const id = await aDevice(shop);
    const own = 'kY3v-9aQ_x7PzR2mWb5T';
    const ask = (body: object) => shop.people.OWNER.post(at(id), body);

    const answers = await Promise.all(FORWARDERS.map((adapter) => ask({ adapter, signingSecret: own })));
    const none = await ask({ adapter: 'incoming-sms-to-url' });
    const refused = await Promise.all(
      ['8chars-x', `${own} `, 'x'.repeat(129)].map((signingSecret) => ask({ adapter: 'textbee', signingSecret })),
    );

    expect(answers.map(({ body }) => body.signingSecret ?? body.message)).toEqual(
      FORWARDERS.map((adapter) =>
        adapter === 'piprapay' ? [expect.stringMatching(/^signingSecret must be omitted/)] : own,
      ),
    );
    expect(none.body).toMatchObject({ hasSecret: false, signingSecret: null });
    expect(refused.map(({ status, body }) => [status, body.message[0].split(' ')[0]])).toEqual(
      refused.map(() => [400, 'signingSecret']),
    );
  });

  it('of a LIVE device is not for a DEVELOPER, and a device has eight at most', async () => {
    const live = await service.change((deps, tx) =>
      connectDevice(deps, tx, {
        tenant: { merchantId: shop.merchantId, environment: 'LIVE' },
        name: 'Till',
        sims: [],
      }),
    );
    const body = { adapter: 'textbee' };

    const developer = await shop.people.DEVELOPER.post(at(live.deviceId), body);
    const owner = [];
    for (let count = 0; count < 9; count += 1) owner.push(await shop.people.OWNER.post(at(live.deviceId), body));

    expect(developer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(owner.map(({ status }) => status)).toEqual([...Array.from({ length: 8 }, () => 201), 409]);
  });

  describe('of an app that does not sign the text', () => {
    const aLiveDevice = async () => {
      const tenant = { merchantId: shop.merchantId, environment: 'LIVE' } as const;
      const connect = { tenant, name: 'Till', sims: [] };
      return (await service.change((deps, tx) => connectDevice(deps, tx, connect))).deviceId;
    };
    const UNSIGNED = FORWARDERS.filter((adapter) => !SIGNS_TEXT[adapter]);
    const reason = 'No other app runs on this phone';
    const allow = (id: string) => `/v1/dashboard/devices/${id}/allow-unsigned-texts`;

    it('is refused for a LIVE device until an OWNER has allowed unsigned texts, and made for a SANDBOX device', async () => {
      const [live, sandbox] = [await aLiveDevice(), await aDevice(shop)];
      const create = (id: string) =>
        Promise.all(UNSIGNED.map(async (adapter) => (await shop.people.OWNER.post(at(id), { adapter })).body));

      const [refused, made] = [await create(live), await create(sandbox)];
      const allowed = await shop.people.OWNER.post(allow(live), { acknowledgeForgedPayments: true, reason });
      const madeAfter = await create(live);

      expect(UNSIGNED).toEqual(['incoming-sms-to-url', 'smsforwarder', 'piprapay', 'httpsms']);
      expect(refused.map(({ code }) => code)).toEqual(UNSIGNED.map(() => 'UNSIGNED_TEXTS_NOT_ALLOWED'));
      expect(allowed).toMatchObject({ status: 200, body: { allowsUnsignedTexts: true } });
      for (const hooks of [made, madeAfter])
        expect(hooks.map(({ signsText }) => signsText)).toEqual(UNSIGNED.map(() => false));
    });

    it('is published and audited as allowed and as refused, with actor, before, after and reason', async () => {
      const id = await aLiveDevice();
      await shop.people.OWNER.post(allow(id), { acknowledgeForgedPayments: true, reason });
      const { status, body } = await shop.people.ADMIN.post(`/v1/dashboard/devices/${id}/refuse-unsigned-texts`, {});

      expect({ status, allowed: body.allowsUnsignedTexts }).toEqual({ status: 200, allowed: false });
      expect((await factsOf(id)).map(({ allowsUnsignedTexts }) => allowsUnsignedTexts)).toEqual([false, true, false]);
      const { body: log } = await shop.people.OWNER.get(`/v1/dashboard/audit-log?subjectId=${id}`);
      expect(log.data).toMatchObject([
        { action: 'device.unsigned_texts_refused', actor: `user:${shop.people.ADMIN.userId}`, reason: null },
        {
          action: 'device.unsigned_texts_allowed',
          actor: `user:${shop.people.OWNER.userId}`,
          reason,
          before: { allowsUnsignedTexts: false },
          after: { allowsUnsignedTexts: true },
        },
        { action: 'device.connected' },
      ]);
    });

    it('is not allowed without the acknowledgement or a reason, nor by anyone but an OWNER', async () => {
      const id = await aLiveDevice();
      const ask = (body: object) => shop.people.OWNER.post(allow(id), body);

      const answers = [await ask({ reason }), await ask({ acknowledgeForgedPayments: false, reason })];
      const unreasoned = await ask({ acknowledgeForgedPayments: true });
      const admin = await shop.people.ADMIN.post(allow(id), { acknowledgeForgedPayments: true, reason });

      expect(answers.map(({ status, body }) => [status, body.message[0].split(' ')[0]])).toEqual(
        answers.map(() => [400, 'acknowledgeForgedPayments']),
      );
      expect(unreasoned).toMatchObject({ status: 400, body: { message: ['reason is required and must be a string'] } });
      expect(admin.status).toBe(403);
      expect((await factsOf(id)).some(({ allowsUnsignedTexts }) => allowsUnsignedTexts)).toBe(false);
    });
  });
});
