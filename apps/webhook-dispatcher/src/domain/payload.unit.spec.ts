import {
  feedPayloadSchemas,
  webhookBodySchemas,
  type EventOf,
  type IntentOutcome,
  type IntentSnapshot,
} from '@pay/contracts';
import { buildBody, deliveryKey, FEED_EVENTS, FEED_TYPES, type FeedType } from './payload';

const INTENT_ID = '0192f0c1-0000-7000-8000-00000000000a';

const intent: IntentSnapshot = {
  id: INTENT_ID,
  amount: '500.5',
  currency: 'BDT',
  status: 'PAID',
  customerReference: 'INV-2041',
  merchantReference: 'order "77" – ঢাকা',
  paymentMethod: 'BKASH_SEND_MONEY',
  receiverMsisdn: '01700000001',
  receiverAccountId: null,
  shownReceivers: [
    {
      receiverAccountId: '0192f0c1-0000-7000-8000-0000000000c1',
      paymentMethod: 'BKASH_SEND_MONEY',
      receiverMsisdn: '01700000001',
    },
  ],
  methodFixed: true,
  expectedTrxId: null,
  expectedSenderMsisdn: '01800000002',
  customerId: 'customer-9',
  language: null,
  successUrl: 'https://shop.example/ok',
  failedUrl: null,
  cancelUrl: null,
  expiredUrl: null,
  metadata: { cart: '7' },
  createdAt: '2026-11-21T09:55:00.000Z',
  expiresAt: '2026-11-21T10:00:00.000Z',
  paidAt: '2026-11-21T09:56:00.000Z',
  expiredAt: '2026-11-21T10:00:01.200Z',
};
const decision: IntentOutcome['decision'] = {
  matchId: '0192f0c1-0000-7000-8000-00000000000b',
  path: 'REFERENCE',
  reason: 'reference_match',
  decidedBy: 'system',
  smsEventId: null,
  trxId: 'DKL4A1B2C3',
  receivedAmount: '499',
};
const event = <Type extends FeedType>(type: Type, over: Partial<IntentSnapshot> = {}): EventOf<Type> =>
  ({
    id: '0192f0c1-0000-7000-8000-00000000000c',
    type,
    version: 1,
    occurredAt: '2026-11-21T09:56:00.123Z',
    environment: 'LIVE',
    merchantId: '0192f0c1-0000-7000-8000-00000000000d',
    aggregateId: INTENT_ID,
    sequence: 2,
    data: { intent: { ...intent, ...over }, decision },
  }) as EventOf<Type>;

test('the body of payment.paid is these bytes', () => {
  expect(buildBody(event('intent.paid'), 'LIVE')).toBe(
    '{"event":"payment.paid","environment":"LIVE","timestamp":"2026-11-21T09:56:00.123Z","data":{' +
      `"payment_intent_id":"${INTENT_ID}","amount":"500.5","currency":"BDT","customer_reference":"INV-2041",` +
      '"merchant_reference":"order \\"77\\" – ঢাকা","status":"PAID","payment_method":"BKASH_SEND_MONEY",' +
      '"receiver_msisdn":"01700000001","metadata":{"cart":"7"},"paid_at":"2026-11-21T09:56:00.000Z","trx_id":"DKL4A1B2C3",' +
      '"chosen_payment_method":"BKASH_SEND_MONEY","chosen_receiver_msisdn":"01700000001"}}',
  );
});

test.each([
  [
    'intent.paid',
    'payment.paid',
    {
      paid_at: '2026-11-21T09:56:00.000Z',
      trx_id: 'DKL4A1B2C3',
      chosen_payment_method: 'BKASH_SEND_MONEY',
      chosen_receiver_msisdn: '01700000001',
    },
  ],
  ['intent.review_required', 'payment.review_required', { reason: 'reference_match', received_amount: '499' }],
  ['intent.expired', 'payment.expired', { expired_at: '2026-11-21T10:00:01.200Z' }],
  ['intent.rejected', 'payment.rejected', { reason: 'reference_match' }],
  ['intent.failed', 'payment.failed', { reason: 'reference_match' }],
] as const)('%s becomes %s with its own additions after the nine common fields', (type, name, additions) => {
  const body: { event: string; data: Record<string, unknown> } = JSON.parse(buildBody(event(type), 'LIVE'));

  expect(body.event).toBe(name);
  expect(Object.keys(body.data).slice(9)).toEqual(Object.keys(additions));
  expect(body.data).toMatchObject(additions);
});

test('payment.paid names the method of the money, and apart from it the one that was chosen last', () => {
  const paid = event('intent.paid', {
    paymentMethod: 'NAGAD_SEND_MONEY',
    receiverMsisdn: '01800000002',
    chosenPaymentMethod: 'BKASH_SEND_MONEY',
    chosenReceiverMsisdn: '01700000001',
  });
  const body: { data: Record<string, unknown> } = JSON.parse(buildBody(paid, 'LIVE'));

  expect(body.data).toMatchObject({
    payment_method: 'NAGAD_SEND_MONEY',
    receiver_msisdn: '01800000002',
    chosen_payment_method: 'BKASH_SEND_MONEY',
    chosen_receiver_msisdn: '01700000001',
  });
});

test('missing references and metadata are null, so that every field is always there', () => {
  const body: { data: Record<string, unknown> } = JSON.parse(
    buildBody(
      event('intent.paid', { merchantReference: null, metadata: null, paymentMethod: null, receiverMsisdn: null }),
      'SANDBOX',
    ),
  );

  expect(body.data).toMatchObject({
    merchant_reference: null,
    metadata: null,
    payment_method: null,
    receiver_msisdn: null,
  });
});

test('the body contains no data about the payer', () => {
  const body = buildBody(event('intent.paid'), 'LIVE');

  for (const secret of ['01800000002', 'customer-9', 'shop.example']) expect(body).not.toContain(secret);
});

test.each(['alert.opened', 'alert.closed'] as const)(
  'the body of %s has the fields of the alert, and its key the id',
  (type) => {
    const alertId = '0192f0c1-0000-7000-8000-0000000000a1';
    const data = {
      alertId,
      kind: 'device_silent' as const,
      subject: '0192f0c1-0000-7000-8000-0000000000d1',
      name: 'Counter',
      count: 1,
      since: '2026-11-21T09:50:00.000Z',
      openedAt: '2026-11-21T09:56:00.000Z',
      closedAt: type === 'alert.opened' ? null : '2026-11-21T09:59:00.000Z',
    };
    const alert = { ...event('intent.paid'), type, aggregateId: alertId, data } as EventOf<typeof type>;
    const body: unknown = JSON.parse(buildBody(alert, 'LIVE'));

    expect(webhookBodySchemas[type].parse(body)).toEqual(body);
    expect(body).toEqual({
      event: type,
      environment: 'LIVE',
      timestamp: '2026-11-21T09:56:00.123Z',
      data: {
        alert_id: alertId,
        kind: 'device_silent',
        subject: data.subject,
        name: 'Counter',
        count: 1,
        since: data.since,
        opened_at: data.openedAt,
        closed_at: data.closedAt,
      },
    });
    expect(deliveryKey(alert)).toBe(`${type}:${alertId}`);
  },
);

test('the delivery key is the event name and the intent', () => {
  expect(deliveryKey(event('intent.expired'))).toBe(`payment.expired:${INTENT_ID}`);
});

test.each(FEED_TYPES)('the body of %s has every field that the API description names, and no other', (type) => {
  const body: unknown = JSON.parse(buildBody(event(type), 'LIVE'));

  expect(feedPayloadSchemas[FEED_EVENTS[type]].parse(body)).toEqual(body);
});
