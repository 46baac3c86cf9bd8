import type { InternalSmsReading, SmsEventFacts } from '@pay/contracts';
import { ServiceCallFailed, type ServiceClient } from '@pay/http';
import { uuidv7 } from 'uuidv7';

type SmsIngest = Pick<ServiceClient, 'request'>;

/** The SMS of sms-ingest that requests are made about. */
export class KnownSms implements SmsIngest {
  /** Response to every change. */
  refusal: ServiceCallFailed | undefined;
  private readonly items = new Map<string, { readonly merchantId: string; facts: SmsEventFacts }>();

  add(merchantId: string, given: Partial<SmsEventFacts> = {}): string {
    const facts = { ...AN_SMS, id: uuidv7(), ...given };
    this.items.set(facts.id, { merchantId, facts });
    return facts.id;
  }

  request: SmsIngest['request'] = (method, path, { schema, tenant }) => {
    const { pathname, searchParams } = new URL(path, 'http://sms-ingest');
    const [id, part] = pathname.replace('/internal/v1/sms-events', '').split('/').slice(1);
    const merchantId = tenant?.merchantId ?? searchParams.get('merchantId');
    if (method !== 'GET' && this.refusal) return Promise.reject(this.refusal);
    if (id === 'reparse') {
      const report = { dryRun: false, examined: 3, changed: 2, unchanged: 1, changes: [], next: null };
      return Promise.resolve(
        schema.parse({ ...report, skipped: { textDeleted: 0, unknownDevice: 0, repeat: 0, failed: 0 } }),
      );
    }
    if (id === undefined) {
      const data = [...this.items.values()].filter((item) => item.merchantId === merchantId).map(({ facts }) => facts);
      return Promise.resolve(
        schema.parse({ data, total: data.length, totalIsExact: true, nextCursor: null, limit: 20 }),
      );
    }
    const known = this.items.get(id);
    if (known === undefined || known.merchantId !== merchantId) {
      return Promise.reject(new ServiceCallFailed('rejected', 'sms-ingest', 'answered 404', 404, 'NOT_FOUND'));
    }
    if (part === 'report') known.facts = { ...known.facts, reportedAt: AT };
    const answers: Readonly<Record<string, object>> = {
      text: { message: 'Tk 500.00', hidden: null, parts: [{ name: 'amount', from: 3, to: 9 }] },
      reparse: { dryRun: true, outcome: 'unchanged', before: known.facts satisfies InternalSmsReading, after: null },
    };
    return Promise.resolve(schema.parse(answers[part ?? ''] ?? known.facts));
  };
}

const AT = '2026-11-21T10:00:00.000Z';
const AN_SMS: SmsEventFacts = {
  id: uuidv7(),
  environment: 'SANDBOX',
  deviceId: uuidv7(),
  receiverAccountId: null,
  receiverMsisdn: null,
  sender: 'bKash',
  provider: 'BKASH',
  kind: null,
  direction: null,
  paymentMethod: null,
  amount: null,
  trxId: null,
  reference: null,
  senderMsisdn: null,
  receivedAt: AT,
  ingestedAt: AT,
  status: 'UNPARSED',
  matchStatus: null,
  paymentIntentId: null,
  failureReason: 'unsupported_format',
  fee: null,
  commission: null,
  balance: null,
  recipientMsisdn: null,
  providerTime: null,
  simSlot: 1,
  parserVersion: '6',
  authenticity: 'device_key',
  signals: [],
  hasText: true,
  reportedAt: null,
};
