import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { PublicApi } from '../merchant-client';
import { ServiceDatabases } from '../service-databases';
import type { MerchantAccess, RunningSystem } from '../system';
import { bkashSendMoney, newTrxId } from '../wallet-texts';
import { atRest } from './at-rest';
import { until } from './patience';
import { percentiles, type Percentiles } from './scenarios';
import { steadily } from './steadily';
import { measureBacklog, type BacklogFigures } from './webhook-backlog';
import { openEventSource, type EventSource } from './webhook-events';
import { measureFairness, type FairnessFigures } from './webhook-fairness';
import { openShop, type Shop } from './webhook-shop';

export interface WebhookOptions {
  readonly seconds: number;
  /** Payments whose time from commit to endpoint is measured. */
  readonly payments: number;
  /** Deliveries that wait while memory is measured. */
  readonly queued: number;
}

export interface WebhookFigures {
  readonly deliveriesPerSecond: number;
  /** Requests other than the first of their delivery. */
  readonly repeated: number;
  /** From COMMIT of the event to the request at the endpoint, through outbox and broker, without other work. */
  readonly firstByteMs: Percentiles;
  readonly fairness: FairnessFigures;
  readonly backlog: BacklogFigures;
}

const SECRET = 'bench-webhooks-secret-32-characters';
/** Published events without a delivery. Enough to keep the dispatcher busy, but no backlog. */
const UNDER_WAY = 600;
const PAYMENTS_PER_SECOND = 5;

/** Measures the dispatcher alone: events are published to its queue, and endpoints are in this process. */
export async function measureWebhooks(system: RunningSystem, options: WebhookOptions): Promise<WebhookFigures> {
  const dispatcher = system.services['webhook-dispatcher'];
  const [merchant] = system.merchants;
  if (!dispatcher || !merchant) throw new Error('the running system has no webhook-dispatcher or no merchant');
  const api = new PublicApi(system.baseUrl, 64);
  const source = await openEventSource(system, merchant.id);
  const databases = new ServiceDatabases(system);
  const shop = await openShop();
  try {
    const sandbox = merchant.sandbox;
    const id = await registered(databases, api, sandbox, shop.url);
    await sustained(source, shop, options.seconds / 4);
    const { perSecond, repeated } = await sustained(source, shop, options.seconds);
    await atRest(system);
    const firstByteMs = await firstBytes({ databases, api, sandbox, shop }, options.payments);
    await api.deleteEndpoint(sandbox, id);
    await atRest(system);
    const register = (url = shop.url) => registered(databases, api, sandbox, url);
    const fairness = await measureFairness({ api, sandbox, source, register }, options.seconds / 4);
    await atRest(system);
    const { privateUrl } = dispatcher;
    const parts = { databases, api, sandbox, shop, source, privateUrl, register };
    const backlog = await measureBacklog(parts, options.queued);
    return { deliveriesPerSecond: perSecond, repeated, firstByteMs, fairness, backlog };
  } finally {
    await databases.close();
    await source.close();
    await api.close();
    await shop.close();
  }
}

async function sustained(source: EventSource, shop: Shop, seconds: number) {
  shop.forget();
  const started = performance.now();
  let published = 0;
  while (performance.now() - started < seconds * 1_000) {
    const room = UNDER_WAY - (published - shop.arrived.size);
    if (room > 0) await source.publish(Math.min(room, 100));
    else await delay(1);
    published += Math.max(0, Math.min(room, 100));
  }
  await until(() => shop.arrived.size >= published, 'every event arrives');
  const perSecond = (published * 1_000) / (performance.now() - started);
  return { perSecond, repeated: shop.requests - shop.arrived.size };
}

interface Players {
  readonly databases: ServiceDatabases;
  readonly api: PublicApi;
  readonly sandbox: MerchantAccess;
  readonly shop: Shop;
}

/** Uses real payments: the outbox row contains the time of its transaction just before COMMIT. */
async function firstBytes({ databases, api, sandbox, shop }: Players, payments: number): Promise<Percentiles> {
  shop.forget();
  const wallet = sandbox.receivers.find(({ paymentMethod }) => paymentMethod === 'BKASH_SEND_MONEY');
  const receiverMsisdn = wallet?.msisdn ?? null;
  const ids: string[] = [];
  await steadily(PAYMENTS_PER_SECOND, payments, async () => {
    const { status, body } = await api.createIntent(sandbox, {
      amount: 500,
      idempotencyKey: randomUUID(),
      paymentMethod: 'BKASH_SEND_MONEY',
    });
    if (status !== 201) throw new Error(`an intent was not created: ${status}`);
    ids.push(body.id);
    const message = bkashSendMoney({ amount: '500', reference: body.customerReference, trxId: newTrxId(new Date()) });
    await api.forwardSms(sandbox, { sender: 'bKash', message, receiverMsisdn });
  });
  await until(() => ids.every((id) => shop.atByIntent.has(id)), 'every payment is delivered');
  const { rows } = await databases.query<{ intent: string; ms: number }>(
    'intent-api',
    `select aggregate_id as intent, extract(epoch from created_at)::float8 * 1000 as ms
     from intent_api.outbox where type = 'intent.paid' and aggregate_id = any($1)`,
    [ids],
  );
  if (rows.length !== ids.length) throw new Error(`${rows.length} of ${ids.length} events are in the outbox`);
  return percentiles(rows.map(({ intent, ms }) => (shop.atByIntent.get(intent) ?? 0) - ms));
}

/** Verified in the database: a host may have several verified endpoints, and these receivers answer no challenges. */
async function registered(
  databases: ServiceDatabases,
  api: PublicApi,
  access: MerchantAccess,
  url: string,
): Promise<string> {
  const { status, body } = await api.registerEndpoint(access, url, SECRET, ['payment.paid']);
  if (status !== 201) throw new Error(`an endpoint was not registered: ${status}`);
  await databases.query(
    'webhook-dispatcher',
    'update webhook_dispatcher.endpoints set is_verified = true where id = $1',
    [body.id],
  );
  return body.id;
}
