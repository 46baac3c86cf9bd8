import { randomUUID } from 'node:crypto';
import { eventually } from '@pay/testing';
import { ControlPlane } from '../src/control-plane';
import { PublicApi, type Intent } from '../src/merchant-client';
import { ownMerchant, type OwnMerchant } from '../src/own-merchant';
import { readSystem } from '../src/system';
import { bkashSendMoney, newTrxId } from '../src/wallet-texts';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';

describe('a pending intent that can no longer be paid', () => {
  const system = readSystem(RUN_DIRECTORY);
  const controlPlane = new ControlPlane(RUN_DIRECTORY);
  const api = new PublicApi(system.baseUrl);
  let merchant: OwnMerchant;

  beforeAll(async () => {
    merchant = await ownMerchant(system, controlPlane);
  });

  afterAll(() => api.close());

  async function newIntent(paymentMethod: string): Promise<Intent> {
    const fields = { amount: 60, idempotencyKey: randomUUID(), paymentMethod, ttlSeconds: 3_600 };
    const reply = await api.createIntent(merchant.sandbox, fields);
    expect(reply.status).toBe(201);
    return reply.body;
  }

  const statusInApi = async ({ id }: Intent) => (await api.getIntent(merchant.sandbox, id)).body.status;
  const statusAtCheckout = async ({ id }: Intent) =>
    (await api.call<{ status: string }>('GET', `/v1/checkout/${id}`, {})).body.status;
  const hasFailed = (intent: Intent) =>
    eventually(
      async () => (await statusInApi(intent)) === 'FAILED' && (await statusAtCheckout(intent)) === 'FAILED',
      'API and checkout say FAILED',
    );

  test('has FAILED when its only receiver account is closed, and money that still comes does not pay it', async () => {
    const intent = await newIntent('BKASH_SEND_MONEY');
    const other = await newIntent('NAGAD_SEND_MONEY');
    const wallet = merchant.sandbox.receivers.find(({ msisdn }) => msisdn === intent.receiverMsisdn);

    await controlPlane.run('set-receiver-account', { receiver: wallet?.id ?? '', active: 'false' });

    await hasFailed(intent);
    expect([await statusInApi(other), await statusAtCheckout(other)]).toEqual(['PENDING', 'PENDING']);
    const message = bkashSendMoney({
      amount: '60',
      reference: intent.customerReference,
      trxId: newTrxId(new Date()),
    });
    const sms = { sender: 'bKash', message, receiverMsisdn: intent.receiverMsisdn };
    const accepted = await api.forwardSms(merchant.sandbox, sms);
    await eventually(async () => (await smsStatus(accepted.body.id)) === 'REVIEW_REQUIRED', 'a reviewer must check it');
    expect(await statusInApi(intent)).toBe('FAILED');

    await controlPlane.run('set-receiver-account', { receiver: wallet?.id ?? '', active: 'true' });
    await eventually(
      async () => (await api.createIntent(merchant.sandbox, aPayment())).status === 201,
      'the account takes new intents again',
    );
    expect(await statusInApi(intent)).toBe('FAILED');
  });

  test('has FAILED when its merchant is switched off', async () => {
    const intent = await newIntent('NAGAD_SEND_MONEY');

    await controlPlane.run('set-merchant', { merchant: merchant.id, active: 'false' });
    await eventually(async () => (await statusAtCheckout(intent)) === 'FAILED', 'checkout says FAILED');
    await controlPlane.run('set-merchant', { merchant: merchant.id, active: 'true' });

    await hasFailed(intent);
  });

  function aPayment() {
    return { amount: 60, idempotencyKey: randomUUID(), paymentMethod: 'BKASH_SEND_MONEY' };
  }

  async function smsStatus(id: string): Promise<string | undefined> {
    const { body } = await api.call<{ results: { matchStatus: string }[] }>(
      'POST',
      '/v1/sms-events/status-batch',
      { 'x-device-key': merchant.sandbox.deviceKey },
      { ids: [id] },
    );
    return body.results[0]?.matchStatus;
  }
});
