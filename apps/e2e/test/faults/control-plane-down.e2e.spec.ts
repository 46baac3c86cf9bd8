import { randomUUID } from 'node:crypto';
import { eventually } from '@pay/testing';
import pg from 'pg';
import { ControlPlane } from '../../src/control-plane';
import { holdDown, isReady, restart } from '../../src/hold-down';
import { isAccepted, operationsBehind } from '../../src/credential-acceptance';
import { leftOver } from '../../src/left-over';
import { PublicApi } from '../../src/merchant-client';
import { ownMerchant, type OwnMerchant } from '../../src/own-merchant';
import { readSystem, type Merchant } from '../../src/system';
import { bkashSendMoney, newTrxId } from '../../src/wallet-texts';
import { WebhookReceiver } from '../../src/webhook-receiver';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';
const SECRET = 'control-plane-down-endpoint-secret';
const DATA_PLANE = ['intent-api', 'checkout-api', 'sms-ingest', 'reconciler', 'webhook-dispatcher'];
const PAYMENTS = 20;

/** The tests are one story and run in their order. */
describe('while dashboard-api and its database are down', () => {
  const system = readSystem(RUN_DIRECTORY);
  const controlPlane = new ControlPlane(RUN_DIRECTORY);
  const api = new PublicApi(system.baseUrl);
  const database = new pg.Client({ connectionString: system.postgresUrl });
  let merchant: OwnMerchant;
  let otherMerchant: Merchant;
  let receiver: WebhookReceiver;
  let letUp: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    await database.connect();
    merchant = await ownMerchant(system, controlPlane);
    otherMerchant = await unseenMerchant();
    receiver = await WebhookReceiver.listen(SECRET);
    expect((await api.registerEndpoint(merchant.sandbox, receiver.url, SECRET)).status).toBe(201);
    letUp = await holdDown(RUN_DIRECTORY, 'dashboard-api');
    await shutOutOfDatabase();
  });

  afterAll(async () => {
    await allowDatabase();
    await letUp?.();
    await api.close();
    await receiver.close();
    await database.end();
  });

  /** Well-formed keys that were never issued. */
  async function unseenMerchant(): Promise<Merchant> {
    const { merchants } = JSON.parse(await controlPlane.program('make-seed', [])) as { merchants: Merchant[] };
    return merchants[0] as Merchant;
  }

  async function shutOutOfDatabase(): Promise<void> {
    await database.query('alter role dashboard_api connection limit 0');
    await database.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'dashboard_api'`);
  }

  async function allowDatabase(): Promise<void> {
    await database.query('alter role dashboard_api connection limit -1');
  }

  async function payByReference(): Promise<string> {
    const { body: intent } = await newIntent();
    const trxId = newTrxId(new Date());
    await forward(bkashSendMoney({ amount: '75', reference: intent.customerReference, trxId }), intent.receiverMsisdn);
    return intent.id;
  }

  async function payByTrxId(): Promise<string> {
    const { body: intent } = await newIntent();
    const paidAt = new Date();
    const trxId = newTrxId(paidAt);
    expect((await api.confirm(intent.id, trxId)).status).toBe(200);
    await forward(bkashSendMoney({ amount: '75', reference: null, trxId, at: paidAt }), intent.receiverMsisdn);
    return intent.id;
  }

  async function newIntent() {
    const fields = { amount: 75, idempotencyKey: randomUUID(), paymentMethod: 'BKASH_SEND_MONEY', ttlSeconds: 3_600 };
    const reply = await api.createIntent(merchant.sandbox, fields);
    expect(reply.status).toBe(201);
    return reply;
  }

  async function forward(message: string, receiverMsisdn: string | null): Promise<void> {
    const sms = { sender: 'bKash', message, receiverMsisdn };
    expect((await api.forwardSms(merchant.sandbox, sms)).status).toBe(202);
  }

  async function expectPaymentsToGoThrough(): Promise<void> {
    const ids = await Promise.all(
      Array.from({ length: PAYMENTS }, (_, number) => (number % 2 === 0 ? payByReference() : payByTrxId())),
    );
    const webhooks = await Promise.all(ids.map((id) => receiver.next('payment.paid', id, 30_000)));
    expect(webhooks.every(({ isGenuine }) => isGenuine)).toBe(true);
    for (const id of ids) expect((await api.getIntent(merchant.sandbox, id)).body.status).toBe('PAID');
  }

  /** The responses of all routes that require a key. */
  async function areAccepted({ apiKey, deviceKey }: { apiKey: string; deviceKey: string }): Promise<boolean[]> {
    const answers = await Promise.all([
      ...operationsBehind('apiKey').map((operation) => isAccepted(api, operation, apiKey)),
      ...operationsBehind('deviceKey').map((operation) => isAccepted(api, operation, deviceKey)),
    ]);
    return [...new Set(answers)];
  }

  test('they are down: no request is answered, and no command succeeds', async () => {
    expect(await isReady(RUN_DIRECTORY, 'dashboard-api')).toBe(false);
    await expect(controlPlane.run('list-merchants', {})).rejects.toThrow('too many connections for role');
  });

  test('payments by reference and by transaction id succeed, and webhooks are sent', expectPaymentsToGoThrough);

  test('known keys of both environments open every route, unknown ones are answered 401', async () => {
    expect(await areAccepted(merchant.sandbox)).toEqual([true]);
    expect(await areAccepted(merchant.live)).toEqual([true]);
    expect(await areAccepted(otherMerchant.sandbox)).toEqual([false]);
  });

  test('services that start again serve from their copies', async () => {
    await restart(RUN_DIRECTORY, DATA_PLANE);

    expect(await areAccepted(merchant.sandbox)).toEqual([true]);
    await expectPaymentsToGoThrough();
    expect(await isReady(RUN_DIRECTORY, 'dashboard-api')).toBe(false);
  }, 120_000);

  test('afterwards a new key works immediately, a revoked one does not, and no work is left', async () => {
    await allowDatabase();
    const tenant = { merchant: merchant.id, environment: 'SANDBOX' };
    const { apiKey } = await controlPlane.run<{ apiKey: string }>('issue-api-key', tenant);
    const { deviceKey } = await controlPlane.run<{ deviceKey: string }>('connect-device', tenant);

    await eventually(
      async () => !(await areAccepted({ apiKey, deviceKey })).includes(false),
      'a new key and a new device open every route',
    );
    await controlPlane.run('revoke-api-key', { key: merchant.sandbox.apiKeyId });
    await eventually(
      async () => (await api.getIntent(merchant.sandbox, randomUUID())).status === 401,
      'the revoked key is refused',
    );

    await letUp?.();
    await eventually(async () => (await leftOver(system)).length === 0, 'nothing is left over', { timeoutMs: 30_000 });
  }, 120_000);
});
