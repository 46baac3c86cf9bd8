import type { ExceptionDetails, ReviewAction, ReviewAnswer } from '@pay/contracts';
import { ServiceCallFailed, type ServiceClient } from '@pay/http';
import { uuidv7 } from 'uuidv7';

type Reconciler = Pick<ServiceClient, 'request'>;

/** A reconciler with these exceptions that executes actions. Its responses to actions can be scripted. */
export class KnownExceptions implements Reconciler {
  private readonly items = new Map<string, { readonly merchantId: string; readonly item: ExceptionDetails }>();
  readonly asked: { readonly actor: string | undefined; readonly action: ReviewAction }[] = [];
  answer: (item: ExceptionDetails) => ReviewAnswer | 'lost' = (item) => ({ refusal: null, item });

  add(merchantId: string, given: Partial<ExceptionDetails> = {}): string {
    const item = { ...AN_EXCEPTION, id: uuidv7(), ...given };
    this.items.set(item.id, { merchantId, item });
    return item.id;
  }

  request: Reconciler['request'] = (method, path, { schema, body, actor }) => {
    const { pathname, searchParams } = new URL(path, 'http://reconciler');
    if (pathname === '/internal/v1/search') return Promise.resolve(schema.parse({ intents: [], exceptions: [] }));
    if (pathname.startsWith('/internal/v1/sms-events/')) return Promise.resolve(schema.parse({ match: null }));
    if (pathname === '/internal/v1/decision-statistics') return Promise.resolve(schema.parse(NO_DECISIONS));
    const [id, action] = pathname.replace('/internal/v1/exceptions', '').split('/').slice(1);
    if (id === undefined) {
      return Promise.resolve(schema.parse({ data: [], total: 0, totalIsExact: true, page: 1, limit: 20 }));
    }
    const known = this.items.get(id);
    if (known === undefined || known.merchantId !== searchParams.get('merchantId')) {
      return Promise.reject(new ServiceCallFailed('rejected', 'reconciler', 'answered 404', 404, 'NOT_FOUND'));
    }
    if (action === undefined) return Promise.resolve(schema.parse(known.item));
    this.asked.push({ actor, action: body as ReviewAction });
    const answer = this.answer(known.item);
    return answer === 'lost'
      ? Promise.reject(new ServiceCallFailed('unavailable', 'reconciler', `${method} without an answer`))
      : Promise.resolve(schema.parse(answer));
  };
}

const NO_DECISIONS = { since: null, payments: 0, byPeople: 0, secondsFromSms: null };

const AN_EXCEPTION: ExceptionDetails = {
  id: '01935001-0000-7000-8000-00000000f001',
  environment: 'SANDBOX',
  status: 'OPEN',
  kind: 'amount_differs',
  matchStatus: 'REVIEW_REQUIRED',
  reason: 'reference_match_amount_mismatch',
  path: 'REFERENCE',
  checks: null,
  doubts: [],
  explanations: [],
  paidInTime: null,
  expectedAmount: '500',
  receivedAmount: '450',
  smsEventId: '01935001-0000-7000-8000-00000000f002',
  money: {
    provider: 'BKASH',
    paymentMethod: 'BKASH_SEND_MONEY',
    trxId: 'DKL4A1B2C3',
    reference: 'INV1',
    receiverAccountId: null,
    receiverMsisdn: '01700000900',
    payerMsisdn: '01812345678',
    providerTime: '2026-11-21T10:02:00.000Z',
    ingestedAt: '2026-11-21T10:02:10.000Z',
    authenticity: 'device_key',
    signals: [],
  },
  dispute: null,
  paymentIntentId: '01935001-0000-7000-8000-00000000f003',
  intentStatus: 'REVIEW_REQUIRED',
  assigneeId: null,
  resolvedBy: null,
  resolutionNote: null,
  createdAt: '2026-11-21T10:02:11.000Z',
  resolvedAt: null,
  candidates: [],
  suggestions: [],
  actions: [],
};
