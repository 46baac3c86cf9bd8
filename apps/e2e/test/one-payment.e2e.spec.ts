import { randomUUID } from 'node:crypto';
import { eventually } from '@pay/testing';
import { PublicApi } from '../src/merchant-client';
import { readSystem, type MerchantAccess } from '../src/system';
import { bkashSendMoney, nagadSendMoney, newTrxId } from '../src/wallet-texts';
import { WebhookReceiver } from '../src/webhook-receiver';

const SECRET = 'one-payment-endpoint-secret';

describe('one payment, from outside', () => {
  const system = readSystem(process.env['E2E_RUN_DIRECTORY'] ?? '.run');
  const access = system.merchants[0]?.sandbox as MerchantAccess;
  const api = new PublicApi(system.baseUrl);
  const statusAtArrival = new Map<string, Promise<string>>();
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await WebhookReceiver.listen(SECRET, (webhook) => {
      statusAtArrival.set(
        webhook.intentId,
        api.getIntent(access, webhook.intentId).then((reply) => reply.body.status),
      );
    });
    const registered = await api.registerEndpoint(access, receiver.url, SECRET);
    expect(registered.status).toBe(201);
    expect(await api.verifyEndpoint(access, registered.body.id)).toMatchObject({
      status: 200,
      body: { isVerified: true },
    });
  });

  afterAll(async () => {
    await api.close();
    await receiver.close();
  });

  const msisdnOf = (method: string) =>
    access.receivers.find((candidate) => candidate.paymentMethod === method)?.msisdn ?? null;

  async function newIntent(fields: Record<string, unknown> = {}) {
    const reply = await api.createIntent(access, {
      amount: 1250.5,
      idempotencyKey: randomUUID(),
      paymentMethod: 'BKASH_SEND_MONEY',
      ...fields,
    });
    expect(reply.status).toBe(201);
    return reply.body;
  }

  async function expectPaidAndDelivered(intentId: string) {
    const webhook = await receiver.next('payment.paid', intentId);
    expect(webhook).toMatchObject({ isGenuine: true, event: 'payment.paid', status: 'PAID' });
    expect(await statusAtArrival.get(intentId)).toBe('PAID');
    expect((await api.getIntent(access, intentId)).body.status).toBe('PAID');
  }

  test('a bKash text with the reference pays the intent, and the API returns PAID when the signed webhook arrives', async () => {
    const intent = await newIntent({ merchantReference: 'ORDER-1' });
    const message = bkashSendMoney({
      amount: '1250.5',
      reference: intent.customerReference,
      trxId: newTrxId(new Date()),
    });

    const accepted = await api.forwardSms(access, {
      sender: 'bKash',
      message,
      receiverMsisdn: intent.receiverMsisdn,
    });

    expect(accepted).toMatchObject({ status: 202, body: { duplicate: false } });
    await expectPaidAndDelivered(intent.id);
  });

  test('a Nagad text with the reference pays the intent', async () => {
    const intent = await newIntent({ paymentMethod: 'nagad_send_money', amount: 75 });
    const trxId = newTrxId(new Date()).slice(0, 8);
    const message = nagadSendMoney({ amount: '75', reference: intent.customerReference, trxId });

    await api.forwardSms(access, { sender: 'NAGAD', message, receiverMsisdn: intent.receiverMsisdn });

    await expectPaidAndDelivered(intent.id);
  });

  test('money at the wallet that was shown before the customer changed the method is reported with its own method', async () => {
    const intent = await newIntent({ paymentMethod: undefined, amount: 310 });
    const choose = (paymentMethod: string) =>
      api.call<{ receiverMsisdn: string }>('POST', `/v1/checkout/${intent.id}/method`, {}, { paymentMethod });
    const shownFirst = (await choose('NAGAD_SEND_MONEY')).body.receiverMsisdn;
    const shownLast = (await choose('BKASH_SEND_MONEY')).body.receiverMsisdn;
    const trxId = newTrxId(new Date()).slice(0, 8);
    const message = nagadSendMoney({ amount: '310', reference: intent.customerReference, trxId });

    await api.forwardSms(access, { sender: 'NAGAD', message, receiverMsisdn: shownFirst });

    const { data } = await receiver.next('payment.paid', intent.id);
    expect(shownFirst).not.toBe(shownLast);
    expect((await api.getIntent(access, intent.id)).body).toMatchObject({
      status: 'PAID',
      paymentMethod: 'NAGAD_SEND_MONEY',
      receiverMsisdn: shownFirst,
      chosenPaymentMethod: 'BKASH_SEND_MONEY',
      chosenReceiverMsisdn: shownLast,
    });
    expect(data).toMatchObject({
      payment_method: 'NAGAD_SEND_MONEY',
      trx_id: trxId,
      chosen_payment_method: 'BKASH_SEND_MONEY',
    });
  });

  test('a TrxID confirmed after its SMS arrived pays the intent', async () => {
    const intent = await newIntent();
    const trxId = newTrxId(new Date());
    const message = bkashSendMoney({ amount: '1250.5', reference: null, trxId });
    await api.forwardSms(access, { sender: 'bKash', message, receiverMsisdn: intent.receiverMsisdn });

    const confirmed = await confirmUntil(intent.id, trxId, true);

    expect(confirmed).toMatchObject({ matched: true, reason: 'trx_id_match' });
    expect((await api.getIntent(access, intent.id)).body.status).toBe('PAID');
    await expectPaidAndDelivered(intent.id);
  });

  test('a TrxID confirmed before its SMS arrived pays the intent as soon as it comes', async () => {
    const intent = await newIntent();
    const paidAt = new Date();
    const trxId = newTrxId(paidAt);

    const early = await api.confirm(intent.id, trxId);
    expect(early).toMatchObject({ status: 200, body: { matched: false, smsEventId: null } });
    const message = bkashSendMoney({ amount: '1250.5', reference: null, trxId, at: paidAt });
    await api.forwardSms(access, { sender: 'bKash', message, receiverMsisdn: intent.receiverMsisdn });

    await expectPaidAndDelivered(intent.id);
    expect(await confirmUntil(intent.id, trxId, true)).toMatchObject({ matched: true, reason: 'trx_id_match' });
  });

  test('a text with another amount puts the intent under review and sends the webhook for it', async () => {
    const intent = await newIntent();
    const message = bkashSendMoney({
      amount: '1249.5',
      reference: intent.customerReference,
      trxId: newTrxId(new Date()),
    });

    await api.forwardSms(access, { sender: 'bKash', message, receiverMsisdn: intent.receiverMsisdn });

    const webhook = await receiver.next('payment.review_required', intent.id);
    expect(webhook).toMatchObject({ isGenuine: true, status: 'REVIEW_REQUIRED' });
    expect(receiver.of('payment.paid', intent.id)).toEqual([]);
  });

  test('a text from a sender that is not the provider pays nothing', async () => {
    const intent = await newIntent();
    const message = bkashSendMoney({
      amount: '1250.5',
      reference: intent.customerReference,
      trxId: newTrxId(new Date()),
    });

    const accepted = await api.forwardSms(access, {
      sender: '+8801999000111',
      message,
      receiverMsisdn: intent.receiverMsisdn,
    });

    expect(accepted.body.status).toBe('UNPARSED');
    const real = bkashSendMoney({ amount: '1250.5', reference: intent.customerReference, trxId: newTrxId(new Date()) });
    await api.forwardSms(access, { sender: 'bKash', message: real, receiverMsisdn: intent.receiverMsisdn });
    await expectPaidAndDelivered(intent.id);
    expect(receiver.of('payment.paid', intent.id)).toHaveLength(1);
  });

  test('the same text forwarded by five concurrent requests is one event and one webhook', async () => {
    const intent = await newIntent();
    const message = bkashSendMoney({
      amount: '1250.5',
      reference: intent.customerReference,
      trxId: newTrxId(new Date()),
    });
    const sms = { sender: 'bKash', message, receiverMsisdn: msisdnOf('BKASH_SEND_MONEY') };

    const replies = await Promise.all(Array.from({ length: 5 }, () => api.forwardSms(access, sms)));

    expect(new Set(replies.map((reply) => reply.body.id)).size).toBe(1);
    expect(replies.filter((reply) => !reply.body.duplicate)).toHaveLength(1);
    await expectPaidAndDelivered(intent.id);
    expect(receiver.of('payment.paid', intent.id)).toHaveLength(1);
  });

  /** Evidence reaches the reconciler a moment after the 202; a customer presses the button again. */
  async function confirmUntil(intentId: string, trxId: string, matched: boolean) {
    return eventually(async () => {
      const { body } = await api.confirm(intentId, trxId);
      return body.matched === matched && body;
    }, 'the claim is decided as expected');
  }
});
