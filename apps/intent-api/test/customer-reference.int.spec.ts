import { randomUUID } from 'node:crypto';
import { createIntentRequestSchema } from '@pay/contracts';
import { failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { newIntent } from '../src/domain/new-intent';
import { storeIntents } from '../src/intents/store-intents';
import { merchantApi } from './merchant-api';
import { aMerchant, startService } from './service-under-test';
import type { MerchantUnderTest, ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('customerReference', () => {
  let service: ServiceUnderTest;
  let merchant: MerchantUnderTest;
  const api = merchantApi(() => service);

  beforeAll(async () => {
    service = await startService();
    merchant = await aMerchant(service.db);
  });
  afterAll(() => service.stop());

  it('is taken if another intent has it in another spelling', async () => {
    await api.create(merchant, { customerReference: 'inv-1001' });

    expect(await api.create(merchant, { customerReference: 'INV 1001' })).toMatchObject({
      status: 409,
      body: { code: 'CUSTOMER_REFERENCE_TAKEN' },
    });
  });

  it.each([
    ['16 characters', 'ABCDEFGH12345678', 'ABCDEFGH12345678'],
    ['one letter', 'q', 'q'],
    ['spaces around it, which go', '  tea 1  ', 'tea 1'],
    ['every sign that is allowed', 'a-b_c.d/e#f g', 'a-b_c.d/e#f g'],
  ])('of %s is taken', async (_case, customerReference, answered) => {
    const owner = await aMerchant(service.db);

    expect((await api.create(owner, { customerReference })).body.customerReference).toBe(answered);
  });

  it('is free for another merchant', async () => {
    const other = await aMerchant(service.db);
    await api.create(merchant, { customerReference: 'INV-1002' });

    expect(await api.create(other, { customerReference: 'INV-1002' })).toMatchObject({ status: 201 });
  });

  it('of the intent with the same idempotency key is a replay', async () => {
    const fields = { idempotencyKey: randomUUID(), customerReference: 'INV-1003' };
    const first = await api.create(merchant, fields);

    const again = await api.create(merchant, fields);

    expect([again.status, again.body.id, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      first.body.id,
      'true',
    ]);
  });

  it('is generated again when the generated one is taken', async () => {
    await api.create(merchant, { customerReference: 'TAKEN-1' });
    const request = createIntentRequestSchema.parse({ amount: 5, idempotencyKey: randomUUID() });
    const intent = (customerReference: string) =>
      newIntent(request, { id: uuidv7(), now: new Date(), customerReference, receiver: undefined });
    const tenant = { merchantId: merchant.id, environment: merchant.environment };
    const store = (references: string[]) => {
      const anotherReference = () => references.shift() ?? 'TAKEN-1';
      const given = { tenant, idempotencyKey: randomUUID(), parametersHash: 'x', intent: intent(anotherReference()) };
      return service.db.transaction((tx) => storeIntents(service, tx, [{ ...given, anotherReference }]));
    };

    expect(await store(['TAKEN-1', 'taken 1', 'FREE-1'])).toMatchObject([
      { kind: 'created', stored: { intent: { customerReference: 'FREE-1' } } },
    ]);
    expect(await store([])).toEqual([{ kind: 'reference_taken' }]);
  });

  it('of 20 concurrent requests creates one intent and 19 refusals', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => api.create(merchant, { customerReference: 'RACE-1' })),
    );

    const statuses = replies.map((reply) => reply.status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  });
});
