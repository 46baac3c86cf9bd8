import { randomUUID } from 'node:crypto';
import { promptly } from '@pay/testing';
import { CheckoutStream } from '../../src/checkout-stream';
import { holdDown } from '../../src/hold-down';
import { PublicApi } from '../../src/merchant-client';
import { readSystem, type MerchantAccess } from '../../src/system';
import { bkashSendMoney, newTrxId } from '../../src/wallet-texts';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';
/** A delay that a person notices. */
const SWIFT_MS = 1_000;

describe('a checkout while the reconciler is down', () => {
  const system = readSystem(RUN_DIRECTORY);
  const access = system.merchants[0]?.sandbox as MerchantAccess;
  const api = new PublicApi(system.baseUrl);
  let letUp: (() => Promise<void>) | undefined;

  afterAll(async () => {
    await letUp?.();
    await api.close();
  });

  async function swiftly<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    let answer: Answer | undefined;
    await promptly(SWIFT_MS, async () => {
      const begun = performance.now();
      answer = await work();
      return performance.now() - begun;
    });
    return answer as Answer;
  }

  test('answers immediately, stores the claim, shows that it waits, and shows the payment when it is decided', async () => {
    const paymentMethod = 'BKASH_SEND_MONEY';
    const { body: intent } = await api.createIntent(access, {
      amount: 500,
      paymentMethod,
      idempotencyKey: randomUUID(),
    });
    const stream = await CheckoutStream.open(system.baseUrl, intent.id);
    await stream.until('PENDING');
    const paidAt = new Date();
    const trxId = newTrxId(paidAt);
    letUp = await holdDown(RUN_DIRECTORY, 'reconciler');

    const confirm = () => swiftly(() => api.confirm(intent.id, trxId));
    for (const { status, body } of [await confirm(), await confirm()])
      expect({ status, ...body }).toMatchObject({
        status: 200,
        matched: false,
        smsEventId: null,
        reason: 'processing',
      });
    const view = await swiftly(() => api.call('GET', `/v1/checkout/${intent.id}`, {}));
    expect(view).toMatchObject({ status: 200, body: { status: 'PENDING', claim: 'waiting' } });
    const message = bkashSendMoney({ amount: '500', reference: null, trxId, at: paidAt });
    const receiverMsisdn =
      access.receivers.find((receiver) => receiver.paymentMethod === paymentMethod)?.msisdn ?? null;
    expect((await api.forwardSms(access, { sender: 'bKash', message, receiverMsisdn })).status).toBe(202);

    await letUp();
    await stream.until('PAID');
    stream.close();
  });
});
