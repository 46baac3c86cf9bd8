import { createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { SECRET_USE, type DeviceFact, type Forwarder } from '@pay/contracts';
import { newHookId } from '@pay/directory';
import { hashKey } from '@pay/http';
import { draft } from '@pay/messaging';
import { bkashSendMoneyText, eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { aPhone, hookSecrets, startService, type PhoneUnderTest, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

const SECRET = 'kY3v-9aQ_x7PzR2mWb5T';

interface Hook {
  readonly hookId: string;
  readonly path: string;
  /** The device's fact with this hook, a version newer than what the copy holds. */
  readonly fact: DeviceFact;
}

describe('POST /v1/sms-events/hooks/<adapter>/<hookId>', () => {
  let service: ServiceUnderTest;
  let phone: PhoneUnderTest;
  /** What dashboard-api knows of devices. */
  const owner = new Map<string, DeviceFact>();
  const hookIds: string[] = [];
  beforeAll(async () => {
    const request = (_method: string, path: string) =>
      Promise.resolve({ device: owner.get(path.split('/').at(-1) ?? '') ?? null } as never);
    service = await startService({ dashboardApi: { request } });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    phone = await aPhone(service.db, { environment: 'LIVE' });
  });

  /** A hook as dashboard-api makes it; the copy does not know it yet. */
  async function madeHook(
    adapter: Forwarder,
    secret: string | null = SECRET,
    allowsUnsignedTexts: boolean | null = true,
  ): Promise<Hook> {
    const [row] = await service.db.query<{ data: DeviceFact }>(
      `select data from directory_facts where kind = 'device' and id = $1`,
      [phone.deviceId],
    );
    const [id, hookId] = [uuidv7(), newHookId(phone.deviceId)];
    const sealedSecret = secret === null ? null : hookSecrets.seal(id, secret);
    const hook = { id, adapter, hookHash: hashKey(hookId), sealedSecret };
    const known = row?.data as DeviceFact;
    const fact = { ...known, version: known.version + 1, hooks: [hook], allowsUnsignedTexts };
    owner.set(fact.id, fact);
    hookIds.push(hookId);
    return { hookId, path: `/v1/sms-events/hooks/${adapter}/${hookId}`, fact };
  }

  async function announce(fact: DeviceFact): Promise<void> {
    owner.set(fact.id, fact);
    const { merchantId, environment, id: aggregateId, version: sequence } = fact;
    const about = { merchantId, environment, aggregateId, sequence, occurredAt: new Date() };
    const event = draft('device.changed', { ...about, data: fact });
    await service.db.transaction((tx) => service.messaging.publish(tx, [event], { queue: 'sms-ingest.control' }));
  }

  async function post(path: string, body: string, headers: Record<string, string> = {}) {
    const type = { 'content-type': body.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded' };
    const response = await fetch(service.url + path, { method: 'POST', headers: { ...type, ...headers }, body });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  const stored = () =>
    service.db.query<{
      status: string;
      receiver_account_id: string | null;
      sim_slot: number | null;
      received_at: Date;
    }>('select status, receiver_account_id, sim_slot, received_at from sms_events where device_id = $1 order by id', [
      phone.deviceId,
    ]);

  function gatewayEvent(text: string, event = 'sms:received'): string {
    const payload = {
      messageId: '1',
      message: text,
      sender: 'bKash',
      simNumber: 1,
      receivedAt: '2026-01-22T08:54:01+06:00',
    };
    return JSON.stringify({ deviceId: 'f', event, id: uuidv7(), payload, webhookId: 'w' });
  }

  function signed(body: string, ageSeconds = 0): Record<string, string> {
    const timestamp = String(Math.floor(Date.now() / 1_000) - ageSeconds);
    const signature = createHmac('sha256', SECRET)
      .update(body + timestamp)
      .digest('hex');
    return { 'x-timestamp': timestamp, 'x-signature': signature };
  }

  describe('SMS Gateway for Android, which signs', () => {
    it('stores an SMS once before the response, also when it is sent or replayed several times', async () => {
      const { path } = await madeHook('sms-gateway-android');
      const body = gatewayEvent(bkashSendMoneyText({ amount: '500' }));
      const captured = signed(body, 200);

      const answers = [
        await post(path, body, captured),
        await post(path, body, signed(body)),
        await post(path, body, captured),
      ];

      expect(answers.map(({ status, body: { status: published } }) => [status, published])).toEqual(
        answers.map(() => [200, 'true']),
      );
      expect(await stored()).toEqual([
        {
          status: 'PARSED',
          receiver_account_id: phone.accounts.BKASH_SEND_MONEY,
          sim_slot: 1,
          received_at: new Date('2026-01-22T02:54:01Z'),
        },
      ]);
    });

    it('answers 401 to a wrong signature, a changed text and an old one, counts them and stores nothing', async () => {
      const { path } = await madeHook('sms-gateway-android');
      const body = gatewayEvent(bkashSendMoneyText({ amount: '500' }));
      const forged = body.replace('Tk 500', 'Tk 900');

      const answers = [
        await post(path, body),
        await post(path, forged, signed(body)),
        await post(path, body, signed(body, 301)),
      ];

      expect(answers.map(({ status, body: { code } }) => [status, code])).toEqual(
        answers.map(() => [401, 'UNAUTHORIZED']),
      );
      expect(await stored()).toEqual([]);
      const counted = await service.metrics.registry.metrics();
      expect(counted).toMatch(/forwarder_requests_total\{[^}]*outcome="signature"[^}]*\} \d/);
      expect(counted).toMatch(/forwarder_requests_total\{[^}]*outcome="stale"[^}]*\} \d/);
    });

    it('treats its ping as a heartbeat', async () => {
      const { path } = await madeHook('sms-gateway-android');
      const body = gatewayEvent('', 'system:ping');

      expect((await post(path, body, signed(body))).status).toBe(200);

      const published = async () =>
        (await service.announced()).find(({ aggregateId }) => aggregateId === phone.deviceId);
      const event = await eventually(published, 'the phone is announced');
      expect(event.data).toMatchObject({ deviceId: phone.deviceId, sendsHeartbeat: true });
      expect(await stored()).toEqual([]);
    });
  });

  describe('Incoming SMS to URL, which does not', () => {
    it('is authenticated by its hook alone, also with a chunked body, and the same bytes are one SMS', async () => {
      const { path } = await madeHook('incoming-sms-to-url', null);
      const text = bkashSendMoneyText({ amount: '500' });
      const body = JSON.stringify({
        from: 'bKash',
        text,
        sentStamp: 1769050441000,
        receivedStamp: 1769050448417,
        sim: 'sim1',
      });

      const statuses = [await postInChunks(path, body), (await post(path, body)).status];

      expect(statuses).toEqual([200, 200]);
      expect(await stored()).toMatchObject([{ status: 'PARSED', received_at: new Date(1769050448417) }]);
    });

    it('answers 400 with sentences to an invalid body, and 413 to a body that is too large', async () => {
      const { path } = await madeHook('incoming-sms-to-url', null);

      await expect(post(path, '{"from":"b"Kash"}')).resolves.toMatchObject({
        status: 400,
        body: { error: 'Bad Request' },
      });
      await expect(post(path, '{"from":"bKash"}')).resolves.toMatchObject({
        status: 400,
        body: { message: [expect.stringMatching(/^message is required/)] },
      });
      expect((await post(path, `{"from":"${'x'.repeat(1_100_000)}"}`)).status).toBe(413);
      expect((await fetch(service.url + path)).status).toBe(405);
    });
  });

  it("PipraPay: a sign of life, and a list whose items are decided one by one in the app's words", async () => {
    const { path } = await madeHook('piprapay', null);
    const item = {
      id: 41,
      sender: 'bKash',
      message: bkashSendMoneyText({ amount: '500' }),
      simSlot: '1',
      timestamp: '2026-01-22 08:54:01',
    };
    const list = [item, { ...item, message: '' }, item];
    const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

    const alive = await post(path, form({ check: 'i_am_active', d_model: 'SM-A05' }));
    const bulk = await post(
      path,
      form({ 'action-companion': 'sms-transmit-bulk', token: 'hook', sms_list: JSON.stringify(list) }),
    );

    expect(alive).toMatchObject({
      status: 200,
      body: { status: 'true', success: true, time_stamp: expect.any(Number) },
    });
    expect(bulk).toMatchObject({
      status: 200,
      body: {
        status: 'true',
        results: [
          { id: 41, status: 'true', message: 'stored' },
          { id: 41, status: 'false', message: 'message must not be empty' },
          { id: 41, status: 'true', message: 'duplicate' },
        ],
      },
    });
    expect(await stored()).toHaveLength(1);
  });

  describe('an app that does not sign the text', () => {
    const sms = () =>
      JSON.stringify({ from: 'bKash', text: bkashSendMoneyText({ amount: '500' }), sentStamp: Date.now() });
    const parsed = async () => {
      const events = (await service.announced()).filter(({ type }) => type === 'sms.parsed');
      return events.flatMap(({ data }) => {
        const { deviceId, authenticity } = data as { deviceId: string; authenticity?: string };
        return deviceId === phone.deviceId ? [authenticity] : [];
      });
    };

    it.each(['incoming-sms-to-url', 'smsforwarder', 'piprapay', 'httpsms'] as const)(
      'is refused in LIVE with what to do, and nothing is stored: %s',
      async (adapter) => {
        for (const allowed of [false, null]) {
          const { path } = await madeHook(adapter, SECRET_USE[adapter] === 'nothing' ? null : SECRET, allowed);

          await expect(post(path, sms())).resolves.toMatchObject({
            status: 403,
            body: {
              code: 'UNSIGNED_TEXTS_REFUSED',
              message: expect.stringContaining('allow unsigned texts for this device'),
            },
          });
        }
        expect(await stored()).toEqual([]);
        expect(await service.metrics.registry.metrics()).toMatch(
          new RegExp(`forwarder_requests_total\\{[^}]*adapter="${adapter}",outcome="unsigned_refused"[^}]*\\} \\d`),
        );
      },
    );

    it('is accepted in LIVE once its device allows it, is published as unsigned, and is refused after that is revoked', async () => {
      const { path, fact } = await madeHook('incoming-sms-to-url', null, false);
      expect((await post(path, sms())).status).toBe(403);

      await announce({ ...fact, version: 3, allowsUnsignedTexts: true });
      await eventually(async () => (await post(path, sms())).status === 200, 'unsigned texts are allowed');
      expect(await parsed()).toEqual(['unsigned']);

      await announce({ ...fact, version: 4, allowsUnsignedTexts: false });
      await eventually(async () => (await post(path, sms())).status === 403, 'unsigned texts are refused');
    });

    it('is accepted in SANDBOX', async () => {
      phone = await aPhone(service.db, { environment: 'SANDBOX' });
      const { path } = await madeHook('incoming-sms-to-url', null, false);

      expect((await post(path, sms())).status).toBe(200);
      expect(await parsed()).toEqual(['unsigned']);
    });

    it('does not affect a signed app: signed texts are published as signed', async () => {
      const { path } = await madeHook('sms-gateway-android', SECRET, false);
      const body = gatewayEvent(bkashSendMoneyText({ amount: '500' }));

      expect((await post(path, body, signed(body))).status).toBe(200);
      expect(await parsed()).toEqual(['signed']);
    });
  });

  it('a request of textbee that is sent again after months is a repeat, although its signature has no time', async () => {
    const { path } = await madeHook('textbee');
    const message = bkashSendMoneyText({ amount: '500' });
    const fields = { webhookEvent: 'MESSAGE_RECEIVED', sender: 'bKash', message, idempotencyKey: uuidv7() };
    const body = JSON.stringify({ ...fields, receivedAt: '2026-01-22T02:54:01Z' });
    const signature = createHmac('sha256', SECRET).update(body).digest('hex');

    const answers = [
      await post(path, body, { 'x-signature': signature }),
      await post(path, body, { 'x-signature': signature }),
    ];
    const changed = await post(path, body.replace('500.00', '900.00'), { 'x-signature': signature });

    expect(answers.map(({ status, body: { message: published } }) => [status, published])).toEqual([
      [200, 'The message is stored.'],
      [200, 'The message was already stored.'],
    ]);
    expect(changed.status).toBe(401);
    expect(await stored()).toHaveLength(1);
    const published = (await service.announced()).filter(
      ({ type, data }) => type === 'sms.parsed' && (data as { deviceId: string }).deviceId === phone.deviceId,
    );
    expect(published).toHaveLength(1);
  });

  describe('requests to invalid hooks get the same 404', () => {
    const SMS = JSON.stringify({ from: 'bKash', text: 'Hello', sentStamp: 1769050441000 });

    it('for a hook of another app, an unknown and a malformed one', async () => {
      const { hookId, path } = await madeHook('incoming-sms-to-url', null);
      expect((await post(path, SMS)).status).toBe(200);

      const answers = await Promise.all(
        [
          `/v1/sms-events/hooks/piprapay/${hookId}`,
          `/v1/sms-events/hooks/incoming-sms-to-url/${newHookId(phone.deviceId)}`,
          `/v1/sms-events/hooks/incoming-sms-to-url/${newHookId(uuidv7())}`,
          `${path}A`,
          `/v1/sms-events/hooks/nothing/${hookId}`,
        ].map((each) => post(each, SMS)),
      );

      const [first] = answers;
      expect(first).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect(answers).toEqual(answers.map(() => first));
    });

    it('immediately accepts a new hook, and immediately refuses a deleted one and one of a disabled device', async () => {
      const { path, fact } = await madeHook('incoming-sms-to-url', null);
      const status = async () => (await post(path, SMS)).status;

      expect(await status()).toBe(200);
      await announce({ ...fact, version: 3, isDisabled: true });
      await eventually(async () => (await status()) === 404, 'the device is disabled');
      await announce({ ...fact, version: 4 });
      await eventually(async () => (await status()) === 200, 'the device is enabled');
      await announce({ ...fact, version: 5, hooks: [] });
      await eventually(async () => (await status()) === 404, 'the hook is deleted');
    });
  });

  it('writes no hook id and no secret to logs or metrics', async () => {
    const { path, hookId, fact } = await madeHook('textbee');
    const hooks = fact.hooks?.map((hook) => ({ ...hook, sealedSecret: 'k9:AAAA' })) ?? [];
    await post(path, '{}', { 'x-signature': 'x' });
    await post(`${path}%zz`, '{}');
    await announce({ ...fact, version: 3, hooks });

    // Sealed with a key that is not configured: an internal error, logged with its cause.
    await eventually(async () => (await post(path, '{}', { 'x-signature': 'x' })).status === 500, 'a fault');
    const unsigned = await madeHook('incoming-sms-to-url', null, false);
    const refused = await post(unsigned.path, '{}');
    const allowed = await madeHook('incoming-sms-to-url', null);
    const accepted = await post(
      allowed.path,
      JSON.stringify({ from: 'bKash', text: 'Hello', sentStamp: 1769050441000 }),
    );
    const malformed = await post(`${allowed.path}?id=${allowed.hookId}`, '{"from":');
    const wrongApp = await post(allowed.path.replace('incoming-sms-to-url', 'piprapay'), '{}');
    expect([refused, accepted, malformed, wrongApp].map(({ status }) => status)).toEqual([403, 200, 400, 404]);
    expect(JSON.stringify([refused, accepted, malformed, wrongApp])).not.toContain(allowed.hookId);

    const written = JSON.stringify(service.lines) + (await service.metrics.registry.metrics());
    expect(written).toContain('/v1/sms-events/hooks/:adapter/:hookId');
    expect(written).toContain('encrypted with a key that is not configured');
    expect(hookIds).toContain(hookId);
    for (const secret of [...hookIds, SECRET]) expect(written).not.toContain(secret);
  });

  async function postInChunks(path: string, body: string): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'SMS Forwarder App' };
      const sending = httpRequest(service.url + path, { method: 'POST', headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      });
      sending.on('error', reject);
      sending.write(body.slice(0, 20));
      sending.end(body.slice(20));
    });
  }
});
