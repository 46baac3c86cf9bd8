import pg from 'pg';
import { ControlPlane } from '../control-plane';
import { ownMerchant } from '../own-merchant';
import { RawApi } from '../raw-api';
import { databaseOf, ownUrl, type RunningSystem } from '../system';
import { atRest } from './at-rest';
import { emptyList, fillList, LIST_FILLS, shopOf, timeOf, type FilledList, type ListShop } from './fill-lists';
import { percentiles, type Percentiles } from './scenarios';

export const FILLED_LISTS = Object.keys(LIST_FILLS) as FilledList[];
/** Maximum duration of a list at the server. */
const LIMIT_MS = 200;

export interface ListFigures {
  readonly list: FilledList;
  readonly rows: number;
  /** Milliseconds by name of the request. */
  readonly latencyMs: Readonly<Record<string, Percentiles>>;
  readonly aboveLimit: readonly string[];
}

export interface ListOptions {
  readonly runDirectory: string;
  readonly lists: readonly FilledList[];
  readonly rows: number;
  readonly requestsEach: number;
}

/**
 * Fills each list of a merchant; its owner pages, filters and searches at the port of dashboard-api, one request at a
 * time. The inserted rows are deleted at the end.
 */
export async function measureLists(system: RunningSystem, options: ListOptions): Promise<ListFigures[]> {
  const merchant = await ownMerchant(system, new ControlPlane(options.runDirectory, system));
  const [{ owner }, shop] = [merchant, shopOf(merchant)];
  const api = new RawApi(ownUrl(system, 'dashboard-api'));
  const authorization = `Bearer ${await api.signIn(owner.email, owner.password)}`;
  const get = async (path: string) => {
    const { status, text } = await api.send({ method: 'GET', path, headers: { authorization } });
    if (status !== 200) throw new Error(`${path} returned ${status}: ${text}`);
    return JSON.parse(text) as { readonly nextCursor?: string | null };
  };
  const figures: ListFigures[] = [];
  try {
    for (const list of options.lists) {
      const client = new pg.Client({ connectionString: databaseOf(system, LIST_FILLS[list].service) });
      await client.connect();
      try {
        await client.query(`set search_path = ${LIST_FILLS[list].service.replace('-', '_')}`);
        await fillList(client, { list, shop, first: 1, last: options.rows });
        await atRest(system);
        figures.push(await measure(list, await requestsOf(list, shop, options.rows, get), options, get));
      } finally {
        await emptyList(client, list, shop);
        await client.end();
      }
    }
  } finally {
    await api.close();
  }
  return figures;
}

type Get = (path: string) => Promise<{ readonly nextCursor?: string | null }>;

async function measure(
  list: FilledList,
  requests: Readonly<Record<string, string>>,
  { rows, requestsEach }: ListOptions,
  get: Get,
): Promise<ListFigures> {
  const latencyMs: Record<string, Percentiles> = {};
  for (const [name, path] of Object.entries(requests)) {
    for (let warm = 0; warm < 3; warm += 1) await get(path);
    const milliseconds: number[] = [];
    for (let time = 0; time < requestsEach; time += 1) {
      const started = performance.now();
      await get(path);
      milliseconds.push(performance.now() - started);
    }
    latencyMs[name] = percentiles(milliseconds);
  }
  const aboveLimit = Object.keys(latencyMs).filter((name) => (latencyMs[name]?.p95 ?? 0) > LIMIT_MS);
  return { list, rows, latencyMs, aboveLimit };
}

/** Path by name: the first page, distant pages, each filter alone, some together, and search. */
async function requestsOf(
  list: FilledList,
  shop: ListShop,
  rows: number,
  get: Get,
): Promise<Readonly<Record<string, string>>> {
  const half = Math.floor(rows / 2);
  const [day, old] = [Math.min(17_280, half), timeOf(half)];
  const at = (path: string) => (query: string) => `/v1/dashboard/${path}?environment=SANDBOX&limit=100&${query}`;
  const search = (text: string) => `/v1/dashboard/search?environment=SANDBOX&text=${text}`;
  switch (list) {
    case 'payments': {
      const payments = at('payments');
      const { nextCursor } = await get(payments(`createdTo=${old}`));
      return {
        'first page': payments(''),
        'a page in the middle': payments(`after=${nextCursor ?? ''}`),
        'by status PAID, 75 %': payments('status=PAID'),
        'by status REVIEW_REQUIRED, 1 %': payments('status=REVIEW_REQUIRED'),
        'by paymentMethod, 50 %': payments('paymentMethod=BKASH_SEND_MONEY'),
        'by paymentMethod, none': payments('paymentMethod=NAGAD_PAYMENT'),
        'by status and paymentMethod, 0.5 %': payments('status=FAILED&paymentMethod=NAGAD_SEND_MONEY'),
        'by status and paymentMethod, none': payments('status=REVIEW_REQUIRED&paymentMethod=BKASH_SEND_MONEY'),
        'by createdFrom, a day': payments(`createdFrom=${timeOf(day)}`),
        'by createdTo, the older half': payments(`createdTo=${old}`),
        'by status, paymentMethod and createdTo': payments(
          `status=FAILED&paymentMethod=NAGAD_SEND_MONEY&createdTo=${old}`,
        ),
        'by status, paymentMethod and createdTo, none': payments(
          `status=REVIEW_REQUIRED&paymentMethod=BKASH_SEND_MONEY&createdTo=${old}`,
        ),
        'search in the list': payments(`search=order-${half}`),
        'search in the list, none': payments('search=order-0'),
        'all filters': payments(
          `status=PAID&paymentMethod=BKASH_SEND_MONEY&createdFrom=${timeOf(rows)}&createdTo=${old}&search=F-${half + 50}`,
        ),
        'search by reference': search(`F-${half}`),
        'search by merchant reference': search(`order-${half}`),
      };
    }
    case 'sms': {
      const sms = at('sms');
      const { nextCursor } = await get(sms(`ingestedTo=${old}`));
      return {
        'first page': sms(''),
        'a page in the middle': sms(`after=${nextCursor ?? ''}`),
        'by status MATCHED': sms('status=MATCHED'),
        'by status FAILED, 1 %': sms('status=FAILED'),
        'by status UNPARSED, 1 %': sms('status=UNPARSED'),
        'by status REJECTED, none': sms('status=REJECTED'),
        'by provider NAGAD, 10 %': sms('provider=NAGAD'),
        'by provider ROCKET, none': sms('provider=ROCKET'),
        'by device': sms(`deviceId=${shop.deviceId}`),
        'by another device, none': sms(`deviceId=${shop.merchantId}`),
        'by receiver account': sms(`receiverAccountId=${shop.receiverAccountId}`),
        'by ingestedFrom, a day': sms(`ingestedFrom=${timeOf(day)}`),
        'by ingestedTo, the older half': sms(`ingestedTo=${old}`),
        'all filters': sms(
          `status=MATCHED&provider=BKASH&deviceId=${shop.deviceId}&receiverAccountId=${shop.receiverAccountId}&ingestedTo=${old}`,
        ),
      };
    }
    case 'exceptions': {
      const exceptions = at('exceptions');
      const { nextCursor } = await get(exceptions(`createdTo=${old}`));
      return {
        'first page': exceptions(''),
        'longest waiting first': exceptions('order=oldest'),
        'page 100': exceptions('page=100'),
        'a page in the middle': exceptions(`after=${nextCursor ?? ''}`),
        'by status CLOSED': exceptions('status=CLOSED'),
        'by kind': exceptions('kind=late_payment'),
        'by kind, none': exceptions('kind=paid_twice'),
        'by reason': exceptions('reason=late_payment'),
        'by assigneeId, none': exceptions(`assigneeId=${shop.merchantId}`),
        'by receiverAccountId': exceptions(`receiverAccountId=${shop.receiverAccountId}`),
        'by one amount': exceptions('amountFrom=500.50&amountTo=500.50'),
        'by a range of amounts': exceptions('amountFrom=500&amountTo=501'),
        'by a range of amounts, none': exceptions('amountFrom=1&amountTo=2'),
        'by createdFrom, a day': exceptions(`createdFrom=${timeOf(day)}`),
        'all filters': exceptions(
          `kind=late_payment&reason=late_payment&receiverAccountId=${shop.receiverAccountId}&amountFrom=500&amountTo=501&createdTo=${old}`,
        ),
        'search by TrxID': search(`TRX${half}`),
        'search by payer': search(`017${String(half).padStart(8, '0')}`),
        'search by amount': search('500.50'),
        'search by reference': search(`F-${half}`),
      };
    }
    case 'deliveries': {
      const deliveries = at('webhook-deliveries');
      return {
        'first page': deliveries(''),
        'page 1,000': deliveries(`page=${Math.min(1_000, half / 100)}`),
        'the last page': deliveries(`page=${rows / 100}`),
        'by status DELIVERED': deliveries('status=DELIVERED'),
        'by status FAILED, 1 %': deliveries('status=FAILED'),
        'by status RETRYING, none': deliveries('status=RETRYING'),
        'by eventType, 80 %': deliveries('eventType=payment.paid'),
        'by eventType, 1 %': deliveries('eventType=payment.rejected'),
        'by eventType, none': deliveries('eventType=payment.review_required'),
        'by endpointId': deliveries(`endpointId=${shop.receiverAccountId}`),
        'by another endpointId, none': deliveries(`endpointId=${shop.merchantId}`),
        'by paymentIntentId, none': deliveries(`paymentIntentId=${shop.merchantId}`),
        'by status and eventType, none': deliveries('status=FAILED&eventType=payment.rejected'),
        'by eventType and endpointId, none': deliveries(
          `eventType=payment.review_required&endpointId=${shop.receiverAccountId}`,
        ),
        'all filters': deliveries(`status=DELIVERED&eventType=payment.paid&endpointId=${shop.receiverAccountId}`),
      };
    }
    case 'audit-log': {
      const entries = at('audit-log');
      return {
        'first page': entries(''),
        'page 1,000': entries(`page=${Math.min(1_000, half / 100)}`),
        'by actor, nearly all': entries(`actor=user:${shop.merchantId}`),
        'by actor, 0.1 %': entries('actor=cli:filled'),
        'by action, 99 %': entries('action=exception.resolve_asked'),
        'by action, 1 %': entries('action=api_key.rotated'),
        'by subjectKind, 99 %': entries('subjectKind=exception'),
        'by subjectId, none': entries(`subjectId=${shop.merchantId}`),
        'by from, a day': entries(`from=${timeOf(day)}`),
        'by to, the older half': entries(`to=${old}`),
        'all filters': entries(
          `actor=user:${shop.merchantId}&action=exception.resolve_asked&subjectKind=exception&to=${old}`,
        ),
      };
    }
  }
}
