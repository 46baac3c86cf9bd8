import type {
  IntentSnapshot,
  InternalCheckoutActivity,
  InternalDeliveries,
  InternalEvidenceFile,
  InternalIntent,
  PaymentPage,
} from '@pay/contracts';
import { ServiceCallFailed, type ServiceClient } from '@pay/http';
import { uuidv7 } from 'uuidv7';

type Owner = 'intent-api' | 'reconciler' | 'checkout-api' | 'webhook-dispatcher';
type Peer = Pick<ServiceClient, 'request'>;

/** The four owners of a payment's story, with these payments; any of them may be away. */
export class KnownPayments {
  private readonly payments = new Map<string, string>();
  readonly away = new Set<Owner>();
  decidedBy = 'system';

  add(merchantId: string): string {
    const id = uuidv7();
    this.payments.set(id, merchantId);
    return id;
  }

  private pageOf(path: string): PaymentPage {
    const { searchParams } = new URL(path, 'http://intent-api');
    const own = [...this.payments].filter(([, merchantId]) => merchantId === searchParams.get('merchantId'));
    const data = own.map(([id]) => aSnapshot({ id }));
    return { data, total: own.length, totalIsExact: true, nextCursor: null, limit: 20 };
  }

  private numberOf(path: string): number {
    const merchantId = new URL(path, 'http://intent-api').searchParams.get('merchantId');
    return [...this.payments.values()].filter((owner) => owner === merchantId).length;
  }

  /** Returns the merchant of a payment; the caller checks it. */
  readonly intentApi: Peer = {
    request: (_method, path, { schema }) => {
      if (this.away.has('intent-api')) return silence('intent-api');
      if (path === '/internal/v1/receiver-usage') return Promise.resolve(schema.parse({ day: '2026-11-21', data: [] }));
      if (path.startsWith('/internal/v1/search?')) {
        const data = this.pageOf(path).data.map((payment) => ({ ...payment, foundBy: 'amount' }));
        return Promise.resolve(schema.parse({ data }));
      }
      const counts = { PAID: this.numberOf(path) };
      if (path.startsWith('/internal/v1/intent-counts?')) return Promise.resolve(schema.parse(counts));
      if (path.startsWith('/internal/v1/payment-statistics?'))
        return Promise.resolve(schema.parse({ ...NO_PAYMENTS, intents: counts }));
      if (path.startsWith('/internal/v1/intents?')) return Promise.resolve(schema.parse(this.pageOf(path)));
      const id = path.split('/')[4] ?? '';
      const merchantId = this.payments.get(id);
      if (merchantId === undefined) return nothing('intent-api');
      const answer: InternalIntent = { merchantId, environment: 'SANDBOX', sequence: 2, intent: aSnapshot({ id }) };
      return Promise.resolve(schema.parse(answer));
    },
  };

  readonly reconciler: Peer = {
    request: (_method, path, { schema }) => {
      const { pathname, searchParams } = new URL(path, 'http://reconciler');
      const id = pathname.split('/')[4] ?? '';
      if (this.away.has('reconciler')) return silence('reconciler');
      if (this.payments.get(id) !== searchParams.get('merchantId')) return nothing('reconciler');
      return Promise.resolve(schema.parse(aDecisionFile(id, this.decidedBy)));
    },
  };

  readonly checkoutApi: Peer = {
    request: (_method, path, { schema, tenant }) => {
      if (this.away.has('checkout-api')) return silence('checkout-api');
      const isKnown = this.payments.get(path.split('/')[4] ?? '') === tenant?.merchantId;
      if (!path.endsWith('/activity')) return nothing('checkout-api');
      return Promise.resolve(schema.parse({ activity: isKnown ? [A_VIEW] : [] }));
    },
  };

  readonly webhookDispatcher: Peer = {
    request: (_method, path, { schema, tenant }) => {
      if (this.away.has('webhook-dispatcher')) return silence('webhook-dispatcher');
      if (path.startsWith('/internal/v1/webhook-statistics?')) return Promise.resolve(schema.parse(NO_WEBHOOKS));
      const deliveries: InternalDeliveries['deliveries'] = tenant === undefined ? [] : [A_DELIVERY];
      return Promise.resolve(schema.parse({ deliveries }));
    },
  };
}

function silence(owner: Owner): Promise<never> {
  return Promise.reject(new ServiceCallFailed('unavailable', owner, 'no answer'));
}

function nothing(owner: Owner): Promise<never> {
  return Promise.reject(new ServiceCallFailed('rejected', owner, 'answered 404', 404, 'NOT_FOUND'));
}

const NO_DAY = { date: '2026-11-21', hours: [], received: [] };
const NO_PAYMENTS = { asOf: '2026-11-21T10:00:00.000Z', today: NO_DAY, weekBefore: NO_DAY, intents: {} };
const NO_WEBHOOKS = {
  endpoints: 0,
  unverified: 0,
  failing: 0,
  disabled: 0,
  waiting: 0,
  failed: 0,
};
const AT = '2026-11-21T10:00:00.000Z';
function aSnapshot({ id }: { readonly id: string }): IntentSnapshot {
  return {
    id,
    amount: '500',
    currency: 'BDT',
    status: 'PAID',
    customerReference: 'INV-1',
    merchantReference: null,
    paymentMethod: 'BKASH_SEND_MONEY',
    receiverMsisdn: '01700000900',
    receiverAccountId: uuidv7(),
    shownReceivers: [],
    methodFixed: true,
    expectedTrxId: null,
    expectedSenderMsisdn: null,
    customerId: null,
    language: null,
    successUrl: null,
    failedUrl: null,
    cancelUrl: null,
    expiredUrl: null,
    metadata: null,
    createdAt: AT,
    expiresAt: AT,
    paidAt: AT,
  };
}

const A_VIEW: InternalCheckoutActivity['activity'][number] = {
  action: 'viewed',
  paymentMethod: null,
  outcome: null,
  firstAt: AT,
  lastAt: AT,
};

const A_DELIVERY: InternalDeliveries['deliveries'][number] = {
  id: uuidv7(),
  endpointId: uuidv7(),
  eventType: 'payment.paid',
  status: 'DELIVERED',
  createdAt: AT,
  deliveredAt: AT,
  attempts: [],
};

function aDecisionFile(id: string, decidedBy: string): InternalEvidenceFile {
  return {
    environment: 'SANDBOX',
    intent: {
      id,
      status: 'PAID',
      amount: '500',
      referenceKey: 'INV1',
      expectedTrxId: null,
      createdAt: AT,
      expiresAt: AT,
    },
    sms: [],
    claims: [],
    decisions: [
      {
        id: uuidv7(),
        decidedAt: AT,
        matchId: uuidv7(),
        smsEventId: uuidv7(),
        paymentIntentId: id,
        status: 'MANUALLY_RESOLVED',
        path: 'MANUAL',
        reason: 'linked_by_person',
        checks: null,
        paidInTime: null,
        expectedAmount: '500',
        receivedAmount: '500',
        candidates: [],
        doubts: [],
        intentStatus: 'PAID',
        decidedBy,
        note: 'Seen on the phone',
        position: '7',
        signature: 'a',
        link: 'b',
        isAuthentic: true,
      },
    ],
  };
}
