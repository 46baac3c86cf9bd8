import { randomUUID } from 'node:crypto';
import { PublicDoors } from '../src/merchant-client';
import { readSystem, type MerchantAccess } from '../src/system';
import { bkashSendMoney, newTrxId } from '../src/wallet-texts';
import { WebhookReceiver } from '../src/webhook-receiver';

const SECRET = 'expiry-endpoint-secret';

describe('an intent that nobody pays', () => {
  const system = readSystem(process.env['E2E_RUN_DIRECTORY'] ?? '.run');
  const access = system.merchants[0]?.sandbox as MerchantAccess;
  const doors = new PublicDoors(system.baseUrl);
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await WebhookReceiver.listen(SECRET);
    await doors.registerEndpoint(access, receiver.url, SECRET);
  });

  afterAll(async () => {
    await doors.close();
    await receiver.close();
  });

  test('expires shortly after its time, is told as expired, and late money does not pay it by itself', async () => {
    const { body: intent } = await doors.createIntent(access, {
      amount: 99,
      idempotencyKey: randomUUID(),
      paymentMethod: 'BKASH_SEND_MONEY',
      ttlSeconds: 60,
    });

    const webhook = await receiver.next('payment.expired', intent.id, 80_000);

    expect(webhook).toMatchObject({ isGenuine: true, status: 'EXPIRED' });
    expect((await doors.getIntent(access, intent.id)).body.status).toBe('EXPIRED');
    const trxId = newTrxId(new Date());
    const message = bkashSendMoney({ amount: '99', reference: intent.customerReference, trxId });
    await doors.forwardSms(access, { sender: 'bKash', message, receiverMsisdn: intent.receiverMsisdn });
    expect(await doors.confirm(intent.id, trxId)).toMatchObject({ status: 409, body: { code: 'INTENT_EXPIRED' } });
    expect((await doors.getIntent(access, intent.id)).body.status).toBe('EXPIRED');
  }, 100_000);
});
