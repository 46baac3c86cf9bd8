import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { captureServer, eventually, type CaptureServer } from '@pay/testing';
import { ControlPlane } from '../../src/control-plane';
import { liveDispatcher, SHOP_HOST, shopCertificate, type ShopTls } from '../../src/live-dispatcher';
import { PublicApi, type Intent } from '../../src/merchant-client';
import { everyCopyIsWhole, ownMerchant, type OwnMerchant } from '../../src/own-merchant';
import { FORWARDERS } from '../../src/phone/forwarders';
import { personalWallets } from '../../src/phone/read-wallets';
import { RawApi, type RawAnswer } from '../../src/raw-api';
import { replaceService, type ReplacedService } from '../../src/replace-service';
import { readSystem } from '../../src/system';
import { bkashSendMoney, newTrxId, type Transfer } from '../../src/wallet-texts';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';
const SECRET = 'live-evidence-endpoint-secret';
const DAY_MS = 86_400_000;
const AMOUNT = '1250';
const WHY_UNSIGNED = 'The till has only this forwarder app';
const WHY_RELAXED = 'bKash confirmed the dates of its TrxIDs';

interface WebhookBody {
  readonly event: string;
  readonly challenge?: string;
  readonly data: { readonly payment_intent_id: string };
}
interface Item {
  readonly id: string;
  readonly reason: string;
  readonly paymentIntentId: string | null;
}
interface AuditEntry {
  readonly action: string;
  readonly actor: string;
  readonly reason: string | null;
}
interface Hook {
  readonly path: string;
  readonly signingSecret: string | null;
}

/** The tests are one story and run in their order. */
describe('evidence in LIVE', () => {
  const system = readSystem(RUN_DIRECTORY);
  const api = new PublicApi(system.baseUrl);
  const raw = new RawApi(system.baseUrl);
  const hooks: Hook[] = [];
  let tls: ShopTls;
  let shop: CaptureServer;
  let collector: CaptureServer;
  let merchant: OwnMerchant;
  let owner: Record<string, string>;
  let putDispatcherBack: (() => Promise<void>) | undefined;
  const traced = new Map<string, ReplacedService>();

  beforeAll(async () => {
    tls = shopCertificate();
    [shop, collector] = await Promise.all([captureServer(tls), captureServer()]);
    merchant = await ownMerchant(system, new ControlPlane(RUN_DIRECTORY));
    putDispatcherBack = await liveDispatcher(RUN_DIRECTORY, tls.certFile);
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, TRACE_SAMPLE_RATIO: '1' };
    for (const service of ['sms-ingest', 'dashboard-api'])
      traced.set(service, await replaceService(RUN_DIRECTORY, service, settings));
    owner = { authorization: `Bearer ${await raw.signIn(merchant.owner.email, merchant.owner.password)}` };
    shop.respondWith((request) => ({
      status: 200,
      body: JSON.stringify({ challenge: (request.json() as WebhookBody).challenge }),
    }));
    const url = `https://${SHOP_HOST}:${new URL(shop.url).port}/hooks`;
    const endpoint = await api.registerEndpoint(merchant.live, url, SECRET, ['payment.paid']);
    expect((await api.verifyEndpoint(merchant.live, endpoint.body.id)).body).toMatchObject({ isVerified: true });
  }, 180_000);

  afterAll(async () => {
    for (const service of traced.values()) await service.putBack();
    await putDispatcherBack?.();
    await Promise.all([api.close(), raw.close(), shop.close(), collector.close()]);
    tls.remove();
  }, 180_000);

  const dashboard = <Body>(method: string, path: string, body?: unknown) =>
    api.call<Body>(method, `/v1/dashboard${path}`, owner, body);

  async function newIntent(): Promise<Intent> {
    const { status, body } = await api.createIntent(merchant.live, {
      amount: Number(AMOUNT),
      idempotencyKey: randomUUID(),
      paymentMethod: 'BKASH_SEND_MONEY',
      ttlSeconds: 3_600,
    });
    expect(status).toBe(201);
    return body;
  }

  const statusOf = async ({ id }: Intent) => (await api.getIntent(merchant.live, id)).body.status;

  function textFor({ customerReference }: Intent, transfer: Partial<Transfer> = {}): string {
    const trxId = newTrxId(new Date());
    return bkashSendMoney({ amount: AMOUNT, reference: customerReference, trxId, ...transfer });
  }

  /** From the shop's own phone, whose key covers the text. */
  async function fromPhone(intent: Intent, message: string): Promise<void> {
    const { receiverMsisdn } = intent;
    expect((await api.forwardSms(merchant.live, { sender: 'bKash', message, receiverMsisdn })).status).toBe(202);
  }

  function throughHook({ path }: Hook, app: string, message: string): Promise<RawAnswer> {
    const [wallet] = personalWallets(merchant.live);
    const now = new Date();
    const text = {
      id: randomUUID(),
      kind: 'SEND_MONEY_RECEIVED',
      sender: 'bKash',
      text: message,
      wallet: wallet!,
      happenedAt: now,
      receivedAt: now,
      effect: 0,
      balance: 0,
      isLost: false,
    } as const;
    return raw.send({ path, ...FORWARDERS[app]!(system.baseUrl + path).request([text], 'wrong secret', now) });
  }

  async function madeHook(deviceId: string, adapter: string): Promise<Hook> {
    const { status, body } = await dashboard<Hook>('POST', `/devices/${deviceId}/hooks`, { adapter });
    expect(status).toBe(201);
    hooks.push(body);
    return body;
  }

  function itemAbout({ id }: Intent): Promise<Item> {
    return eventually(async () => {
      const { body } = await dashboard<{ data: Item[] }>('GET', '/exceptions?environment=LIVE&limit=100');
      return body.data.find(({ paymentIntentId }) => paymentIntentId === id);
    }, 'the item is in the queue');
  }

  const isDelivered = (intent: Intent) =>
    shop.requests
      .map((request) => request.json() as WebhookBody)
      .some(({ event, data }) => event === 'payment.paid' && data.payment_intent_id === intent.id);

  async function expectPaidAndDelivered(intent: Intent): Promise<void> {
    await eventually(() => isDelivered(intent), 'payment.paid is received', { timeoutMs: 30_000 });
    expect(await statusOf(intent)).toBe('PAID');
  }

  async function expectReview(intent: Intent, reason: string): Promise<Item> {
    const item = await itemAbout(intent);
    expect(item.reason).toBe(reason);
    await eventually(async () => (await statusOf(intent)) === 'REVIEW_REQUIRED', 'the intent is under review');
    expect(isDelivered(intent)).toBe(false);
    return item;
  }

  async function auditOf(action: string): Promise<AuditEntry | undefined> {
    const { body } = await dashboard<{ data: AuditEntry[] }>('GET', '/audit-log?limit=100');
    return body.data.find((entry) => entry.action === action);
  }

  test('an unsigned text is refused until an OWNER allows it with a reason; then it goes to review, and a person approves it', async () => {
    const [receiver] = merchant.live.receivers.filter(({ paymentMethod }) => paymentMethod === 'BKASH_SEND_MONEY');
    const sims = [{ simSlot: 1, receiverAccountIds: [receiver?.id] }];
    const device = await dashboard<{ id: string }>('POST', '/devices', { environment: 'LIVE', name: 'Till', sims });
    const { id } = device.body;
    const signing = await madeHook(id, 'sms-gateway-android');
    const intent = await newIntent();
    const message = textFor(intent);

    expect((await throughHook(signing, 'sms-gateway-android', message)).status).toBe(401);
    const unsigned = { adapter: 'incoming-sms-to-url' };
    expect(await dashboard('POST', `/devices/${id}/hooks`, unsigned)).toMatchObject({
      body: { code: 'UNSIGNED_TEXTS_NOT_ALLOWED' },
    });
    const allow = (body: object) => dashboard('POST', `/devices/${id}/allow-unsigned-texts`, body);
    expect((await allow({ acknowledgeForgedPayments: true })).status).toBe(400);
    expect((await allow({ acknowledgeForgedPayments: true, reason: WHY_UNSIGNED })).status).toBe(200);
    const hook = await madeHook(id, 'incoming-sms-to-url');
    expect((await throughHook(hook, 'incoming-sms-to-url', message)).status).toBe(200);

    const item = await expectReview(intent, 'unsigned_forwarder');
    expect(await auditOf('device.unsigned_texts_allowed')).toMatchObject({
      actor: `user:${merchant.owner.id}`,
      reason: WHY_UNSIGNED,
    });
    const approved = await dashboard('POST', `/exceptions/${item.id}/resolve`, { reason: 'The balance was checked' });
    expect(approved).toMatchObject({ status: 200, body: { intentStatus: 'PAID' } });
    await expectPaidAndDelivered(intent);

    expect((await dashboard('POST', `/devices/${id}/refuse-unsigned-texts`)).status).toBe(200);
    await everyCopyIsWhole(system, merchant.id);
    const refused = await throughHook(hook, 'incoming-sms-to-url', textFor(intent));
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('UNSIGNED_TEXTS_REFUSED');
  }, 120_000);

  test('a forged text goes to review; when the OWNER relaxes its signal with a reason, the next one pays, and other signals do not', async () => {
    const trxIdOfAnotherDay = () => newTrxId(new Date(Date.now() - 3 * DAY_MS));
    const forged = await newIntent();
    await fromPhone(forged, textFor(forged, { trxId: trxIdOfAnotherDay() }));
    await expectReview(forged, 'forgery_signals');

    const evidenceRules = { relaxedSignals: ['trx_id_time'] };
    expect(await dashboard('PATCH', '/merchant', { evidenceRules })).toMatchObject({
      body: { code: 'REASON_REQUIRED' },
    });
    const relaxed = await dashboard('PATCH', '/merchant', { evidenceRules, reason: WHY_RELAXED });
    expect(relaxed).toMatchObject({ status: 200, body: { evidenceRules } });
    expect(await auditOf('merchant.changed')).toMatchObject({
      actor: `user:${merchant.owner.id}`,
      reason: WHY_RELAXED,
      before: { evidenceRules: null },
      after: { evidenceRules },
    });
    await everyCopyIsWhole(system, merchant.id);

    const next = await newIntent();
    await fromPhone(next, textFor(next, { trxId: trxIdOfAnotherDay() }));
    await expectPaidAndDelivered(next);
    const other = await newIntent();
    await fromPhone(other, `${textFor(other)} Visit http://evil.example/prize`);
    await expectReview(other, 'forgery_signals');
    expect(await statusOf(forged)).toBe('REVIEW_REQUIRED');
  }, 120_000);

  test('the address of a hook is in no log of any process and in no span', async () => {
    const [{ path } = { path: '' }] = hooks;
    const hookId = path.split('/').at(-1) ?? '';
    const strange = [
      { method: 'DELETE', path },
      { method: 'POST', path: path.replace('sms-gateway-android', 'textbee'), body: '{}' },
      { method: 'POST', path: `${path}?hook=${hookId}`, body: 'x'.repeat(2_000_000) },
      { method: 'POST', path: `${path}%20`, body: '{}' },
      { method: 'POST', path: `/v1/sms-events/hooks/no-such-app/${hookId}`, body: '{}' },
    ];
    for (const request of strange) await raw.send(request).catch(() => undefined);
    await traced.get('sms-ingest')?.stop();
    expect((await raw.send({ method: 'POST', path, body: '{}' })).status).toBe(503);
    for (const service of traced.values()) await service.putBack();

    const folder = join(RUN_DIRECTORY, 'logs');
    const files = readdirSync(folder).filter((name) => name.endsWith('.log'));
    expect(files).toEqual(expect.arrayContaining([...Object.keys(system.services), 'origin'].map((n) => `${n}.log`)));
    const logs = [
      ...files.map((name) => readFileSync(join(folder, name), 'utf8')),
      ...[...traced.values()].map(({ output }) => output()),
    ].join('\n');
    const spans = Buffer.concat(collector.requests.map(({ rawBody }) => rawBody)).toString('latin1');
    // The requests are in both, by their route.
    for (const text of [logs, spans]) {
      expect(text).toContain('/v1/sms-events/hooks/:adapter/:hookId');
      expect(text).toContain('/v1/dashboard/devices/:id/hooks');
    }
    expect(hooks).toHaveLength(2);
    for (const hook of hooks) {
      const id = hook.path.split('/').at(-1) ?? '';
      expect(id).toMatch(/^[\w-]{64}$/);
      // Its second half is random; the first one names the device.
      for (const text of [logs, spans]) expect(text.includes(id.slice(32))).toBe(false);
    }
  }, 180_000);
});
