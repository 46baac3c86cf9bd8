import { randomUUID } from 'node:crypto';
import { eventually } from '@pay/testing';
import { PublicApi } from '../src/merchant-client';
import { readSystem, type MerchantAccess } from '../src/system';
import { bkashSendMoney, newTrxId } from '../src/wallet-texts';

describe('twenty concurrent requests', () => {
  const system = readSystem(process.env['E2E_RUN_DIRECTORY'] ?? '.run');
  const access = system.merchants[0]?.sandbox as MerchantAccess;
  const api = new PublicApi(system.baseUrl);

  afterAll(() => api.close());

  test('creates with one idempotency key make one intent', async () => {
    const fields = { amount: 300, idempotencyKey: randomUUID(), paymentMethod: 'BKASH_SEND_MONEY' };

    const replies = await Promise.all(Array.from({ length: 20 }, () => api.createIntent(access, fields)));

    expect(replies.map((reply) => reply.status)).toEqual(Array.from({ length: 20 }, () => 201));
    expect(new Set(replies.map((reply) => reply.body.id)).size).toBe(1);
    expect(replies.filter((reply) => reply.headers['idempotent-replayed'] === 'true')).toHaveLength(19);
  });

  test('confirms of one TrxID on twenty intents pay one of them and answer duplicate_trx_id to nineteen', async () => {
    const trxId = newTrxId(new Date());
    const intents = await Promise.all(
      Array.from({ length: 20 }, () =>
        api.createIntent(access, { amount: 450, idempotencyKey: randomUUID(), paymentMethod: 'BKASH_SEND_MONEY' }),
      ),
    );
    const first = intents[0]?.body;
    const message = bkashSendMoney({ amount: '450', reference: null, trxId });
    const sms = await api.forwardSms(access, {
      sender: 'bKash',
      message,
      receiverMsisdn: first?.receiverMsisdn ?? null,
    });
    await evidenceIsDecided(sms.body.id);

    const replies = await Promise.all(
      intents.map((intent) =>
        eventually(async () => {
          const reply = await api.confirm(intent.body.id, trxId);
          // Some may not be decided in time; the customer then submits again.
          return reply.body.reason !== 'processing' && reply;
        }, 'the claim is decided'),
      ),
    );

    expect(replies.filter((reply) => reply.status === 200 && reply.body.matched)).toHaveLength(1);
    expect(replies.filter((reply) => reply.status === 409 && reply.body.code === 'duplicate_trx_id')).toHaveLength(19);
    const statuses = await Promise.all(intents.map((intent) => api.getIntent(access, intent.body.id)));
    expect(statuses.filter((reply) => reply.body.status === 'PAID')).toHaveLength(1);
  });

  async function evidenceIsDecided(smsEventId: string) {
    await eventually(async () => {
      const reply = await api.call<{ results: { status: string }[] }>(
        'POST',
        '/v1/sms-events/status-batch',
        { 'x-device-key': access.deviceKey },
        { ids: [smsEventId] },
      );
      return reply.body.results[0]?.status === 'MATCH_PENDING';
    }, 'the evidence is decided');
  }
});
