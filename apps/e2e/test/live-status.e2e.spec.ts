import { randomUUID } from 'node:crypto';
import { eventually, promptly } from '@pay/testing';
import { CheckoutStream } from '../src/checkout-stream';
import { PublicApi, type Intent } from '../src/merchant-client';
import { readSystem, type MerchantAccess } from '../src/system';
import { bkashSendMoney, nagadSendMoney, newTrxId } from '../src/wallet-texts';

describe('the live status of a checkout, through the one public origin', () => {
  const system = readSystem(process.env['E2E_RUN_DIRECTORY'] ?? '.run');
  const api = new PublicApi(system.baseUrl);
  const streams: CheckoutStream[] = [];
  const access = system.merchants[0]?.sandbox as MerchantAccess;

  afterAll(async () => {
    for (const stream of streams) stream.close();
    await api.close();
  });

  const msisdnOf = (method: string) =>
    access.receivers.find((candidate) => candidate.paymentMethod === method)?.msisdn ?? null;

  async function newIntent(fields: Record<string, unknown> = {}): Promise<Intent> {
    const reply = await api.createIntent(access, { amount: 500, idempotencyKey: randomUUID(), ...fields });
    expect(reply.status).toBe(201);
    return reply.body;
  }
  async function watch(id: string, lastEventId?: string): Promise<CheckoutStream> {
    const stream = await CheckoutStream.open(system.baseUrl, id, lastEventId);
    streams.push(stream);
    return stream;
  }
  const choose = (id: string, paymentMethod: string) =>
    api.call<{ receiverMsisdn: string; status: string }>('POST', `/v1/checkout/${id}/method`, {}, { paymentMethod });
  const bkash = ({ customerReference }: Intent) => ({
    sender: 'bKash',
    message: bkashSendMoney({ amount: '500', reference: customerReference, trxId: newTrxId(new Date()) }),
    receiverMsisdn: msisdnOf('BKASH_SEND_MONEY'),
  });

  test('the text of a payment is on the customer’s screen within a second, and the stream ends', async () => {
    await promptly(1_000, async () => {
      const intent = await newIntent({ paymentMethod: 'BKASH_SEND_MONEY' });
      // Opened in the instant after its creation, whether the event has come or not.
      const stream = await watch(intent.id);
      await stream.until('PENDING');
      const other = await watch(intent.id);

      expect((await api.forwardSms(access, bkash(intent))).status).toBe(202);
      const acceptedAt = performance.now();
      const received = await Promise.all([stream.until('PAID'), other.until('PAID')]);

      await eventually(() => stream.hasEnded && other.hasEnded, 'both streams have ended');
      return Math.max(...received.map(({ at }) => at)) - acceptedAt;
    });
  });

  test('a stream that was interrupted continues where it was; a late one receives the final status', async () => {
    const intent = await newIntent({ paymentMethod: 'BKASH_SEND_MONEY' });
    const stream = await watch(intent.id);
    await stream.until('PENDING');
    stream.close();
    await api.forwardSms(access, bkash(intent));
    await eventually(async () => (await api.getIntent(access, intent.id)).body.status === 'PAID', 'the API says PAID');

    const resumed = await watch(intent.id, stream.lastEventId);
    await resumed.until('PAID');
    expect(resumed.views.map(({ status }) => status)).toEqual(expect.not.arrayContaining(['PENDING']));
    await expect(watch(intent.id, resumed.lastEventId)).rejects.toThrow('204');
    await (await watch(intent.id)).until('PAID');
  });

  test('a choice of method is published; money to a number that was shown before still counts', async () => {
    const intent = await newIntent();
    expect(intent.paymentMethod).toBeNull();
    const stream = await watch(intent.id);

    expect((await choose(intent.id, 'NAGAD_SEND_MONEY')).body.receiverMsisdn).toBe(msisdnOf('NAGAD_SEND_MONEY'));
    const second = await choose(intent.id, 'bkash_send_money');
    expect(second).toMatchObject({ status: 200, body: { receiverMsisdn: msisdnOf('BKASH_SEND_MONEY') } });
    await eventually(() => stream.views.length >= 3, 'the stream contains both choices');
    const message = nagadSendMoney({
      amount: '500',
      reference: intent.customerReference,
      trxId: newTrxId(new Date()).slice(0, 8),
    });
    await api.forwardSms(access, { sender: 'NAGAD', message, receiverMsisdn: msisdnOf('NAGAD_SEND_MONEY') });
    await stream.until('PAID');
    expect((await choose(intent.id, 'NAGAD_SEND_MONEY')).status).toBe(409);
  });

  test('the merchant’s own choice stays: METHOD_FIXED', async () => {
    const intent = await newIntent({ paymentMethod: 'BKASH_SEND_MONEY' });

    expect(await choose(intent.id, 'NAGAD_SEND_MONEY')).toMatchObject({ status: 409, body: { code: 'METHOD_FIXED' } });
  });

  test('an unknown intent has no stream', async () => {
    await expect(watch(randomUUID())).rejects.toThrow('404');
  });
});
