import { randomUUID } from 'node:crypto';
import { internalIntentSchema, type InternalIntent, type PaymentMethod } from '@pay/contracts';
import { serviceClient, ServiceCallFailed, type ServiceClient } from '@pay/http';
import { failOnLeaks } from '@pay/testing';
import { apply, decisionOn } from './decisions';
import { merchantApi } from './merchant-api';
import { aMerchant, BKASH, NAGAD, PEER_SECRETS, startService } from './service-under-test';
import type { ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('POST /internal/v1/intents/:id/method', () => {
  let service: ServiceUnderTest;
  let checkout: ServiceClient;
  const api = merchantApi(() => service);

  beforeAll(async () => {
    service = await startService();
    checkout = clientOf('checkout-api');
  });
  afterAll(async () => {
    await checkout.close();
    await service.stop();
  });

  function clientOf(issuer: 'checkout-api' | 'reconciler'): ServiceClient {
    const baseUrl = service.internalUrl;
    return serviceClient({ issuer, audience: 'intent-api', secret: PEER_SECRETS[issuer], baseUrl });
  }
  function choose(id: string, paymentMethod: PaymentMethod, client = checkout): Promise<InternalIntent> {
    const path = `/internal/v1/intents/${id}/method`;
    return client.request('POST', path, { body: { paymentMethod }, schema: internalIntentSchema, idempotent: true });
  }
  const refusal = (call: Promise<unknown>) =>
    call.then(
      () => 'none',
      (error: unknown) => (error instanceof ServiceCallFailed ? `${error.status} ${error.code}` : String(error)),
    );
  const announcedOf = async (id: string) =>
    (await service.announced()).filter(
      ({ type, aggregateId }) => type === 'intent.method_selected' && aggregateId === id,
    );
  const anOpenIntent = async (fields = {}) => {
    const merchant = await aMerchant(service.db, { receivers: [BKASH, NAGAD] });
    const { body } = await api.create(merchant, fields);
    return { merchant, id: body.id as string };
  };

  it('the chosen receiver is shown, published with all shown receivers, and returned to the merchant', async () => {
    const { merchant, id } = await anOpenIntent();

    const first = await choose(id, 'BKASH_SEND_MONEY');
    const second = await choose(id, 'NAGAD_SEND_MONEY');

    expect(first).toMatchObject({ sequence: 2, intent: { receiverMsisdn: BKASH.msisdn, status: 'PENDING' } });
    expect(second.sequence).toBe(3);
    expect(second.intent.shownReceivers.map(({ receiverMsisdn }) => receiverMsisdn)).toEqual([
      BKASH.msisdn,
      NAGAD.msisdn,
    ]);
    expect((await announcedOf(id)).map(({ sequence, data }) => ({ sequence, data }))).toEqual([
      { sequence: 2, data: { intent: first.intent } },
      { sequence: 3, data: { intent: second.intent } },
    ]);
    expect((await api.get(merchant, id)).body).toMatchObject({
      paymentMethod: 'NAGAD_SEND_MONEY',
      receiverMsisdn: NAGAD.msisdn,
    });
  });

  it('the same choice again, also twenty times concurrently, changes and publishes nothing', async () => {
    const { merchant, id } = await anOpenIntent();

    const chosen = await Promise.all(Array.from({ length: 20 }, () => choose(id, 'NAGAD_SEND_MONEY')));

    expect(new Set(chosen.map(({ sequence }) => sequence))).toEqual(new Set([2]));
    expect(await announcedOf(id)).toHaveLength(1);
    expect((await api.list(merchant, '?paymentMethod=NAGAD_SEND_MONEY')).body.total).toBe(1);
  });

  it('answers 409 METHOD_FIXED for a method that the merchant fixed', async () => {
    const { id } = await anOpenIntent({ paymentMethod: 'BKASH_SEND_MONEY' });

    expect(await refusal(choose(id, 'NAGAD_SEND_MONEY'))).toBe('409 METHOD_FIXED');
    expect(await refusal(choose(id, 'BKASH_SEND_MONEY'))).toBe('409 METHOD_FIXED');
  });

  it('answers 422 for a method without an active receiver', async () => {
    const { id } = await anOpenIntent();

    expect(await refusal(choose(id, 'BKASH_CASHOUT'))).toBe('422 RECEIVER_ACCOUNT_NOT_CONFIGURED');
  });

  it.each([
    ['PAID', '409 INTENT_NOT_PENDING'],
    ['EXPIRED', '409 INTENT_EXPIRED'],
  ] as const)('answers for an intent that is %s: %s', async (status, expected) => {
    const { merchant, id } = await anOpenIntent();
    await apply(service, decisionOn(merchant, id, status, 1));

    expect(await refusal(choose(id, 'BKASH_SEND_MONEY'))).toBe(expected);
  });

  it('answers 404 for an unknown intent and 403 to other services', async () => {
    const reconciler = clientOf('reconciler');
    const { id } = await anOpenIntent();

    expect(await refusal(choose(randomUUID(), 'BKASH_SEND_MONEY'))).toBe('404 NOT_FOUND');
    expect(await refusal(choose(id, 'BKASH_SEND_MONEY', reconciler))).toBe('403 FORBIDDEN');
    await reconciler.close();
  });

  it('the database refuses to remove a shown receiver', async () => {
    const { id } = await anOpenIntent();
    await choose(id, 'BKASH_SEND_MONEY');

    const sql = `update payment_intents set shown_receivers = '[]' where id = $1`;
    await expect(service.db.execute(sql, [id])).rejects.toThrow('stays shown');
  });
});
