import {
  internalSimulationResponseSchema,
  paymentMethodSchema,
  SIMULATOR_DEVICE_ID,
  type InternalSimulationResponse,
  type PaymentMethod,
} from '@pay/contracts';
import { failOnLeaks } from '@pay/testing';
import { aPhone, BKASH, NAGAD, startService, type PhoneUnderTest, type ServiceUnderTest } from './service-under-test';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
failOnLeaks();

const WALLETS = paymentMethodSchema.options.map((paymentMethod, index) => ({
  paymentMethod,
  msisdn: `0170000090${index}`,
}));
const payer = '01711000999';

function simulate(
  { merchantId, environment }: Pick<PhoneUnderTest, 'merchantId' | 'environment'>,
  body: object,
): Promise<InternalSimulationResponse> {
  return service.asDashboard.request('POST', '/internal/v1/sandbox/sms', {
    schema: internalSimulationResponseSchema,
    body,
    tenant: { merchantId, environment },
  });
}

const composed = (paymentMethod: PaymentMethod, more: object = {}) => ({
  composed: {
    paymentMethod,
    amount: '125.5',
    senderMsisdn: payer,
    receiverMsisdn: WALLETS.find((wallet) => wallet.paymentMethod === paymentMethod)?.msisdn,
    ...more,
  },
});

describe('a simulated SMS', () => {
  it.each(paymentMethodSchema.options)(
    'of %s is stored and parsed as the payment it was composed from',
    async (method) => {
      const phone = await aPhone(service.db, { receivers: WALLETS });

      const { sms, smsEvent } = await simulate(phone, composed(method, { customerReference: 'TEA-77' }));

      expect(smsEvent).toMatchObject({
        status: 'PARSED',
        duplicate: false,
        paymentMethod: method,
        amount: '125.5',
        signals: [],
        receiverAccountId: phone.accounts[method],
        reference: sms.message.includes('TEA-77') ? 'TEA-77' : null,
      });
      const [row] = await service.db.query('select device_id, authenticity from sms_events where id = $1', [
        smsEvent.id,
      ]);
      expect(row).toEqual({ device_id: SIMULATOR_DEVICE_ID, authenticity: 'device_key' });
    },
  );

  it('continues the balance of its wallet, also when many are sent at the same time', async () => {
    const phone = await aPhone(service.db, { receivers: WALLETS });

    const sent = await Promise.all(
      Array.from({ length: 12 }, () => simulate(phone, composed('BKASH_SEND_MONEY', { amount: '10', fee: '1' }))),
    );

    const balances = sent.map(({ smsEvent }) => Number(smsEvent.balance)).toSorted((one, other) => one - other);
    expect(balances).toEqual(Array.from({ length: 12 }, (_each, index) => 10_000 + 9 * (index + 1)));
    expect(new Set(sent.map(({ smsEvent }) => smsEvent.trxId)).size).toBe(12);
  });

  it('uses the given fee, balance, TrxID and time', async () => {
    const phone = await aPhone(service.db, { receivers: WALLETS });
    const given = { fee: '1.85', balance: '500', trxId: 'DKN4A1B2C3', receivedAt: '2026-11-23T05:01:30.000Z' };

    const { sms, smsEvent } = await simulate(phone, composed('BKASH_PAYMENT', given));

    expect(sms).toMatchObject({ sender: 'bKash', receivedAt: given.receivedAt });
    expect(sms.message).toContain('from 0171XXXX999.');
    expect(smsEvent).toMatchObject({ fee: '1.85', balance: '500', trxId: given.trxId });
    expect(smsEvent.providerTime).toBe('2026-11-23T05:01:00.000Z');
  });

  it('with a text of the caller is stored as given', async () => {
    const phone = await aPhone(service.db);
    const raw = { sender: 'bKash', message: 'You have received a gift!', receiverMsisdn: BKASH.msisdn };

    const { sms, smsEvent } = await simulate(phone, { raw });

    expect(sms.message).toBe(raw.message);
    expect(smsEvent).toMatchObject({ status: 'UNPARSED', failureReason: 'unsupported_format' });
    expect(await service.textOf(smsEvent.id)).toMatchObject({ sender: 'bKash', message: raw.message });
  });

  it('without a TrxID is a repeat only of a text of the same merchant', async () => {
    const [phone, other] = [await aPhone(service.db), await aPhone(service.db)];
    const message = 'You have received a gift!';
    const raw = { sender: 'bKash', message, receiverMsisdn: BKASH.msisdn, receivedAt: '2026-11-23T05:01:30.000Z' };

    const { smsEvent: first } = await simulate(phone, { raw });
    const { smsEvent: same } = await simulate(other, { raw });
    const { smsEvent: again } = await simulate(phone, { raw });

    expect([first, same, again].map(({ duplicate }) => duplicate)).toEqual([false, false, true]);
    expect(again.id).toBe(first.id);
    expect(same.id).not.toBe(first.id);
  });

  it('reaches only wallets of its merchant', async () => {
    const otherMerchant = await aPhone(service.db, { receivers: [{ ...BKASH, msisdn: '01700000955' }, NAGAD] });
    const phone = await aPhone(service.db);

    const { smsEvent } = await simulate(phone, composed('BKASH_SEND_MONEY', { receiverMsisdn: '01700000955' }));

    expect(smsEvent).toMatchObject({ receiverAccountId: null });
    expect(smsEvent.signals).toEqual([{ name: 'receiver', detail: 'unknown_receiver' }]);
    expect(otherMerchant.merchantId).not.toBe(phone.merchantId);
  });

  it('does not make a device appear as seen', async () => {
    await simulate(await aPhone(service.db), composed('BKASH_SEND_MONEY', { receiverMsisdn: BKASH.msisdn }));

    const seen = await service.db.query('select 1 from device_sightings where device_id = $1', [SIMULATOR_DEVICE_ID]);
    expect(seen).toEqual([]);
  });
});

describe('LIVE', () => {
  it('is refused by the route', async () => {
    const phone = await aPhone(service.db, { environment: 'LIVE', receivers: WALLETS });

    await expect(simulate(phone, composed('BKASH_SEND_MONEY'))).rejects.toMatchObject({ status: 403 });
    expect(await service.db.query('select 1 from sms_events where merchant_id = $1', [phone.merchantId])).toEqual([]);
  });

  it('is refused by the database', async () => {
    const phone = await aPhone(service.db, { receivers: WALLETS });
    const { smsEvent } = await simulate(phone, composed('BKASH_SEND_MONEY'));

    await expect(
      service.db.execute(`update sms_events set environment = 'LIVE' where id = $1`, [smsEvent.id]),
    ).rejects.toThrow('sms_events_simulated_in_sandbox');
  });
});

it('another service than dashboard-api may not simulate', async () => {
  const phone = await aPhone(service.db, { receivers: WALLETS });
  const tenant = { merchantId: phone.merchantId, environment: phone.environment };

  await expect(
    service.asReconciler.request('POST', '/internal/v1/sandbox/sms', {
      schema: internalSimulationResponseSchema,
      body: composed('BKASH_SEND_MONEY'),
      tenant,
    }),
  ).rejects.toMatchObject({ status: 403 });
});
