import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { PublicDoors } from '../merchant-client';
import type { MerchantAccess, RunningSystem } from '../system';
import { bkashSendMoney, newTrxId } from '../wallet-texts';
import { atRest } from './at-rest';
import { megabytesOf } from './memory';
import { percentiles, type Percentiles } from './scenarios';
import { steadily } from './steadily';
import { openEventSource, type EventSource } from './webhook-events';

export interface WebhookOptions {
  readonly seconds: number;
  /** Whose way from commit to endpoint is timed. */
  readonly payments: number;
  /** Deliveries that wait while memory is read. */
  readonly queued: number;
}

export interface WebhookFigures {
  readonly deliveriesPerSecond: number;
  /** Requests that were not the first of their delivery. */
  readonly repeated: number;
  /** COMMIT of the event to its request at the endpoint, through outbox and broker, while nothing else happens. */
  readonly firstByteMs: Percentiles;
  readonly queued: { readonly deliveries: number; readonly idleMegabytes: number; readonly queuedMegabytes: number };
}

const SECRET = 'bench-webhooks-secret-32-characters';
/** Events that were published and not yet delivered: enough to keep the dispatcher busy, and no backlog. */
const UNDER_WAY = 600;
const ENDPOINTS_THAT_HANG = 4;
const PAYMENTS_PER_SECOND = 5;
const PATIENCE_MS = 180_000;

/** The dispatcher alone: events come straight to its queue, endpoints are in this process. */
export async function measureWebhooks(system: RunningSystem, options: WebhookOptions): Promise<WebhookFigures> {
  const dispatcher = system.services['webhook-dispatcher'];
  const [merchant] = system.merchants;
  if (!dispatcher || !merchant) throw new Error('the running system has no webhook-dispatcher or no merchant');
  const doors = new PublicDoors(system.baseUrl, 64);
  const source = await openEventSource(system, merchant.id);
  const client = new pg.Client({ connectionString: system.postgresUrl });
  await client.connect();
  const shop = await openShop();
  try {
    const sandbox = merchant.sandbox;
    const id = await registered(doors, sandbox, shop.url);
    await sustained(source, shop, options.seconds / 4);
    const { perSecond, repeated } = await sustained(source, shop, options.seconds);
    await atRest(system);
    const firstByteMs = await firstBytes({ client, doors, sandbox, shop }, options.payments);
    await doors.deleteEndpoint(sandbox, id);
    await atRest(system);
    const queued = await memoryOfQueue({ client, doors, sandbox, shop, source }, dispatcher.privateUrl, options.queued);
    return { deliveriesPerSecond: perSecond, repeated, firstByteMs, queued };
  } finally {
    await client.end();
    await source.close();
    await doors.close();
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
  readonly client: pg.Client;
  readonly doors: PublicDoors;
  readonly sandbox: MerchantAccess;
  readonly shop: Shop;
}

/** Real payments: the outbox row says when its transaction wrote it, in the moment before COMMIT. */
async function firstBytes({ client, doors, sandbox, shop }: Players, payments: number): Promise<Percentiles> {
  shop.forget();
  const wallet = sandbox.receivers.find(({ paymentMethod }) => paymentMethod === 'BKASH_SEND_MONEY');
  const receiverMsisdn = wallet?.msisdn ?? null;
  const ids: string[] = [];
  await steadily(PAYMENTS_PER_SECOND, payments, async () => {
    const { status, body } = await doors.createIntent(sandbox, {
      ...{ amount: 500, idempotencyKey: randomUUID(), paymentMethod: 'BKASH_SEND_MONEY' },
    });
    if (status !== 201) throw new Error(`an intent was not created: ${status}`);
    ids.push(body.id);
    const message = bkashSendMoney({ amount: '500', reference: body.customerReference, trxId: newTrxId(new Date()) });
    await doors.forwardSms(sandbox, { sender: 'bKash', message, receiverMsisdn });
  });
  await until(() => ids.every((id) => shop.atByIntent.has(id)), 'every payment is told');
  const { rows } = await client.query<{ intent: string; ms: number }>(
    `select aggregate_id as intent, extract(epoch from created_at)::float8 * 1000 as ms
     from intent_api.outbox where type = 'intent.paid' and aggregate_id = any($1)`,
    [ids],
  );
  if (rows.length !== ids.length) throw new Error(`${rows.length} of ${ids.length} events are in the outbox`);
  return percentiles(rows.map(({ intent, ms }) => (shop.atByIntent.get(intent) ?? 0) - ms));
}

/** Endpoints that never answer: a few requests hang, everything else waits in rows. */
async function memoryOfQueue(
  { client, doors, sandbox, shop, source }: Players & { readonly source: EventSource },
  privateUrl: string,
  deliveries: number,
) {
  const idleMegabytes = await megabytesOf(privateUrl);
  const before = await countDeliveries(client);
  shop.hang();
  const ids: string[] = [];
  for (let number = 0; number < ENDPOINTS_THAT_HANG; number += 1) ids.push(await registered(doors, sandbox, shop.url));
  for (let rest = deliveries / ENDPOINTS_THAT_HANG; rest > 0; rest -= 500) await source.publish(Math.min(rest, 500));
  await until(async () => (await countDeliveries(client)) >= before + deliveries, 'every delivery is planned');
  const queuedMegabytes = await megabytesOf(privateUrl);
  for (const id of ids) await doors.deleteEndpoint(sandbox, id);
  return { deliveries, idleMegabytes, queuedMegabytes };
}

async function countDeliveries(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: string }>('select count(*) from webhook_dispatcher.deliveries');
  return Number(rows[0]?.count);
}

async function registered(doors: PublicDoors, access: MerchantAccess, url: string): Promise<string> {
  const { status, body } = await doors.registerEndpoint(access, url, SECRET, ['payment.paid']);
  if (status !== 201) throw new Error(`an endpoint was not registered: ${status}`);
  return body.id;
}

interface Shop {
  readonly url: string;
  /** Ids of deliveries. */
  readonly arrived: ReadonlySet<string>;
  readonly requests: number;
  /** Milliseconds since 1970 of the first byte. */
  readonly atByIntent: ReadonlyMap<string, number>;
  forget(): void;
  hang(): void;
  close(): Promise<void>;
}

async function openShop(): Promise<Shop> {
  const arrived = new Set<string>();
  const atByIntent = new Map<string, number>();
  const hanging: ServerResponse[] = [];
  let requests = 0;
  let hangs = false;
  const server = createServer((request, response) => {
    const at = performance.timeOrigin + performance.now();
    requests += 1;
    arrived.add(String(request.headers['x-webhook-id']));
    atByIntent.set(String(request.headers['x-webhook-idempotency-key']).replace('payment.paid:', ''), at);
    request.on('error', () => undefined).resume();
    if (hangs) hanging.push(response);
    else request.on('end', () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ...{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, arrived, atByIntent },
    get requests() {
      return requests;
    },
    forget() {
      requests = 0;
      arrived.clear();
      atByIntent.clear();
    },
    hang() {
      hangs = true;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function until(isTrue: () => boolean | Promise<boolean>, sentence: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`not within ${PATIENCE_MS / 1_000} s: ${sentence}`);
    await delay(20);
  }
}
