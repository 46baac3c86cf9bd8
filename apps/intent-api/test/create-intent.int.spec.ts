import { decodeEvent, paymentMethodSchema, REFERENCE_ALPHABET } from '@pay/contracts';
import { failOnLeaks } from '@pay/testing';
import { merchantApi } from './merchant-api';
import { aMerchant, BKASH, CHECKOUT_URL, startService } from './service-under-test';
import type { MerchantUnderTest, ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('POST /v1/payments/intents', () => {
  let service: ServiceUnderTest;
  let merchant: MerchantUnderTest;
  const api = merchantApi(() => service);

  beforeAll(async () => {
    service = await startService();
    merchant = await aMerchant(service.db);
  });
  afterAll(() => service.stop());

  describe('a valid request', () => {
    it('returns the complete intent, PENDING, with a receiver and an expiry', async () => {
      const before = Date.now();
      const { status, body, headers } = await api.create(merchant, { amount: 1250.5, merchantReference: 'order-7' });

      expect(status).toBe(201);
      expect(headers.get('idempotent-replayed')).toBeNull();
      expect(body).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        environment: 'SANDBOX',
        amount: '1250.5',
        currency: 'BDT',
        status: 'PENDING',
        customerReference: expect.any(String),
        merchantReference: 'order-7',
        paymentMethod: 'BKASH_SEND_MONEY',
        receiverMsisdn: BKASH.msisdn,
        chosenPaymentMethod: 'BKASH_SEND_MONEY',
        chosenReceiverMsisdn: BKASH.msisdn,
        checkoutUrl: `${CHECKOUT_URL}/${body.id}`,
        expiresAt: expect.any(String),
        createdAt: expect.any(String),
        paidAt: null,
        expiredAt: null,
        failedAt: null,
        rejectedAt: null,
        reviewRequiredAt: null,
        trxId: null,
        failureReason: null,
        metadata: null,
      });
      expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(300_000);
      expect(Math.abs(Date.parse(body.createdAt) - before)).toBeLessThan(60_000);
    });

    it('gets a generated reference of ten characters without look-alikes', async () => {
      const { body } = await api.create(merchant);

      expect(body.customerReference).toHaveLength(10);
      expect(Array.from(body.customerReference as string).every((c) => REFERENCE_ALPHABET.includes(c))).toBe(true);
    });

    it('publishes intent.created with the full state in the same transaction', async () => {
      const { body } = await api.create(merchant, {
        metadata: { cart: '9' },
        customerId: 'c-1',
        paymentMethod: 'bkash_send_money',
      });

      const events = (await service.announced()).filter((event) => event.aggregateId === body.id);
      expect(events).toHaveLength(1);
      expect(decodeEvent(JSON.stringify(events[0]))).toMatchObject({
        type: 'intent.created',
        sequence: 1,
        merchantId: merchant.id,
        environment: 'SANDBOX',
        data: {
          intent: {
            id: body.id,
            amount: '500',
            status: 'PENDING',
            customerId: 'c-1',
            metadata: { cart: '9' },
            methodFixed: true,
            shownReceivers: [{ paymentMethod: 'BKASH_SEND_MONEY', receiverMsisdn: BKASH.msisdn }],
            createdAt: body.createdAt,
            expiresAt: body.expiresAt,
          },
        },
      });
    });

    it('writes one log line with the id of the intent and without a phone number', async () => {
      const { body } = await api.create(merchant);

      const lines = service.lines.filter((line) => line['msg'] === 'intent.created' && line['intentId'] === body.id);
      expect(lines).toHaveLength(1);
      expect(JSON.stringify(service.lines)).not.toContain(BKASH.msisdn);
    });

    it('stores every optional field, including text in any script', async () => {
      const metadata = { মন্তব্য: 'ধন্যবাদ 🙏', quote: `'";--` };
      const { body } = await api.create(merchant, {
        merchantReference: 'অর্ডার ৭',
        metadata,
        language: 'bn',
        ttlSeconds: 60,
      });

      const read = await api.get(merchant, body.id);
      expect(read.body).toMatchObject({ merchantReference: 'অর্ডার ৭', metadata });
      expect(read.body).toEqual(body);
      expect(body.checkoutUrl).toBe(`${CHECKOUT_URL}/${body.id}?language=bn`);
    });
  });

  it.each<[string, unknown, string]>([
    ['a whole number', 500, '500'],
    ['two decimals', 500.05, '500.05'],
    ['digits', '500', '500'],
    ['digits with trailing zeros', '500.50', '500.5'],
    ['a poisha', 0.01, '0.01'],
    ['the largest', 9_999_999.99, '9999999.99'],
  ])('accepts the amount as %s', async (_case, amount, answered) => {
    expect(await api.create(merchant, { amount })).toMatchObject({ status: 201, body: { amount: answered } });
  });

  it.each(paymentMethodSchema.options)('accepts paymentMethod %s and its lower-case alias', async (method) => {
    const owner = await aMerchant(service.db, { receivers: [{ paymentMethod: method, msisdn: '01700000009' }] });

    for (const paymentMethod of [method, method.toLowerCase()]) {
      expect(await api.create(owner, { paymentMethod })).toMatchObject({
        status: 201,
        body: { paymentMethod: method },
      });
    }
  });

  it.each([
    ['60 seconds, the shortest', 60],
    ['86400 seconds, the longest', 86_400],
    ['300 seconds when null', null],
  ])('answers ttlSeconds: %s', async (_case, ttlSeconds) => {
    const { body } = await api.create(merchant, { ttlSeconds });

    expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe((ttlSeconds ?? 300) * 1000);
  });

  it('accepts a merchantReference and idempotencyKey of 255 characters, URLs of 2000 and 20 pairs of metadata', async () => {
    const merchantReference = 'm'.repeat(255);
    const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`k${i}`, 'v'.repeat(500)]));
    const url = `https://shop.example/${'x'.repeat(1_979)}`;

    const { status, body } = await api.create(merchant, {
      merchantReference,
      metadata,
      idempotencyKey: 'k'.repeat(255),
      successUrl: url,
      failedUrl: url,
      cancelUrl: url,
      expiredUrl: url,
    });

    expect({ status, merchantReference: body.merchantReference, metadata: body.metadata }).toEqual({
      status: 201,
      merchantReference,
      metadata,
    });
  });

  it('accepts the currency BDT', async () => {
    expect((await api.create(merchant, { currency: 'BDT' })).body.currency).toBe('BDT');
  });

  it('stores expectedTrxId, expectedSenderMsisdn and customerId and does not return them', async () => {
    const fields = { expectedTrxId: ' dkl4a1b2c3 ', expectedSenderMsisdn: '01811111111', customerId: 'customer-9' };
    const { body } = await api.create(merchant, fields);

    const [event] = (await service.announced()).filter(({ aggregateId }) => aggregateId === body.id);
    expect(event).toMatchObject({ data: { intent: { ...fields, expectedTrxId: 'DKL4A1B2C3' } } });
    expect(JSON.stringify(body)).not.toMatch(/DKL4A1B2C3|01811111111|customer-9/);
  });
});
