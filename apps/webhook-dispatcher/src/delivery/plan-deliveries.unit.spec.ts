import type { EventOf } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import type { LeasedDelivery } from './delivery-repository';
import type { NotifiedEndpoint } from '../endpoints/endpoint-repository';
import { EndpointQueues } from './endpoint-queues';
import { planDeliveries } from './plan-deliveries';

const NOW = '2026-11-21T10:00:00.000Z';
const merchantId = '0192f0c1-0000-7000-8000-00000000000a';
const endpoint: NotifiedEndpoint = {
  id: '0192f0c1-0000-7000-8000-00000000000b',
  merchantId,
  environment: 'SANDBOX',
  url: 'https://shop.example/',
  eventTypes: ['payment.paid'],
  sealedSecret: 'k1:sealed',
  nextSealedSecret: null,
  secretOverlapEndsAt: null,
  isVerified: false,
  verifiedAt: null,
  isActive: true,
  disabledReason: null,
  goneAt: null,
  failingSince: null,
  createdAt: new Date(NOW),
  isSendable: true,
  isHeldBack: false,
};

function paid(number: number): EventOf<'intent.paid'> {
  const id = `0192f0c1-0000-7000-8000-${String(number).padStart(12, '0')}`;
  const intent = {
    id,
    amount: '500',
    currency: 'BDT' as const,
    status: 'PAID' as const,
    customerReference: 'INV-1',
    merchantReference: null,
    paymentMethod: 'BKASH_SEND_MONEY' as const,
    receiverMsisdn: null,
    receiverAccountId: null,
    shownReceivers: [],
    methodFixed: true,
    expectedTrxId: null,
    customerId: null,
    expectedSenderMsisdn: null,
    language: null,
    metadata: {},
    successUrl: null,
    failedUrl: null,
    cancelUrl: null,
    expiredUrl: null,
    createdAt: NOW,
    expiresAt: NOW,
    paidAt: NOW,
  };
  const decision = {
    matchId: id,
    path: 'REFERENCE' as const,
    reason: 'reference_match',
    decidedBy: 'system',
    smsEventId: null,
    trxId: 'DKL4A1B2C3',
    receivedAmount: '500',
  };
  return {
    id,
    type: 'intent.paid',
    version: 1,
    occurredAt: NOW,
    environment: 'SANDBOX',
    merchantId,
    aggregateId: id,
    sequence: 2,
    data: { intent, decision },
  };
}

/** The endpoint has two slots and never responds. */
function underTest() {
  const sent: string[] = [];
  const rings = { count: 0 };
  const never = { answered: new Promise<never>(() => undefined), recorded: new Promise<never>(() => undefined) };
  const queues = new EndpointQueues<LeasedDelivery>({
    random: () => 0,
    slots: 4,
    slotsPerEndpoint: 2,
    slotsForFirst: 1,
    clock: () => 0,
    onRoom: () => undefined,
    isSpent: () => false,
    release: () => Promise.resolve(),
    send: ({ id }) => {
      sent.push(id);
      return never;
    },
  });

  const deps = {
    deliverer: { queues, poke: () => void (rings.count += 1), admits: () => true },
    workerId: merchantId,
    verifiedEnvironments: [],
    clock: () => 0,
  };
  const tx = {
    enqueue: (_: unknown, [ids]: [string[]], onCommit?: (rows: { id: string }[]) => void) =>
      onCommit?.(ids.map((id) => ({ id }))),
  } as unknown as Transaction;
  const plan = (...numbers: number[]): void =>
    planDeliveries(deps, tx, numbers.map(paid), { endpoints: [endpoint], readAt: 0 });
  return { plan, sent, rings, queues };
}

test('immediately sends what an endpoint has slots for, and requests no claim while it hangs', () => {
  const { plan, sent, rings } = underTest();
  plan(1, 2, 3);
  expect(sent).toHaveLength(2);

  for (const number of [4, 5, 6]) plan(number);

  expect(rings.count).toBe(0);
});

test('requests a claim for deliveries behind a backlog while slots are free', () => {
  const { plan, sent, rings, queues } = underTest();
  queues.noteBacklog([endpoint.id]);
  plan(1);

  expect(sent).toEqual([]);
  expect(rings.count).toBe(1);
});
