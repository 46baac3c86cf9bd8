import { randomUUID } from 'node:crypto';
import { CheckoutStream } from '../checkout-stream';
import { PublicApi } from '../merchant-client';
import type { MerchantAccess, RunningSystem } from '../system';
import { bkashSendMoney, newTrxId } from '../wallet-texts';
import { atRest } from './at-rest';
import { besideFloor, type BesideFloor, type BesideFloorOptions } from './beside-floor';
import { FLOOR_CONNECTIONS, ratePerSecond } from './floors';
import { megabytesOf } from './memory';
import { percentiles, type Percentiles } from './scenarios';
import { steadily } from './steadily';

export interface CheckoutOptions {
  readonly seconds: number;
  /** Number of payments whose notification is timed. */
  readonly payments: number;
  readonly streams: number;
  readonly floor: BesideFloorOptions['floor'];
}

export interface CheckoutFigures {
  /** Measured at the port of checkout-api, like the floors. */
  readonly views: BesideFloor;
  /** From the accepted SMS to PAID on the stream, through the origin. */
  readonly notifiedMs: Percentiles;
  readonly many: {
    readonly streams: number;
    readonly idleMegabytes: number;
    readonly openMegabytes: number;
    /** The same with the additional open streams. */
    readonly notifiedMs: Percentiles;
  };
  /** Payments without a notification. */
  readonly lost: number;
}

const VIEWED = 500;
const OPENING_AT_ONCE = 50;
export const CHECKOUT_PAYMENTS_PER_SECOND = 10;
const PATIENCE_MS = 30_000;

interface Checkout {
  readonly id: string;
  readonly customerReference: string;
}

/** Measures requests of customers' phones: views, and event streams until PAID. */
export async function measureCheckout(system: RunningSystem, options: CheckoutOptions): Promise<CheckoutFigures> {
  const access = system.merchants[0]?.sandbox;
  const checkoutApi = system.services['checkout-api'];
  if (!access || !checkoutApi) throw new Error('the running system has no merchant or no checkout-api');
  const origin = new PublicApi(system.baseUrl, 64);
  const own = new PublicApi(checkoutApi.url, FLOOR_CONNECTIONS);
  try {
    const viewed = await newCheckouts(origin, access, VIEWED);
    const views = await besideFloor(() => viewRate(own, viewed, options.seconds), {
      floor: options.floor,
      rest: () => atRest(system),
    });
    const few = await payments(origin, access, system.baseUrl, await newCheckouts(origin, access, options.payments));
    await atRest(system);
    const many = await manyStreams(origin, access, checkoutApi, options);
    return { views, notifiedMs: few.notifiedMs, many: many.figures, lost: few.lost + many.lost };
  } finally {
    await own.close();
    await origin.close();
  }
}

async function viewRate(own: PublicApi, checkouts: readonly Checkout[], seconds: number): Promise<number> {
  let next = 0;
  const view = async () => {
    const { status } = await own.call('GET', `/v1/checkout/${checkouts[(next += 1) % checkouts.length]?.id}`, {});
    if (status !== 200) throw new Error(`reading a view returned ${status}`);
  };
  await ratePerSecond(view, FLOOR_CONNECTIONS, seconds / 4);
  return ratePerSecond(view, FLOOR_CONNECTIONS, seconds);
}

async function manyStreams(
  origin: PublicApi,
  access: MerchantAccess,
  checkoutApi: { readonly url: string; readonly privateUrl: string },
  options: CheckoutOptions,
) {
  const idleMegabytes = await megabytesOf(checkoutApi.privateUrl);
  const waiting = await newCheckouts(origin, access, options.streams);
  const streams: CheckoutStream[] = [];
  try {
    await inParallel(waiting, OPENING_AT_ONCE, async ({ id }) => {
      streams.push(await CheckoutStream.open(checkoutApi.url, id));
    });
    const { notifiedMs, lost } = await payments(
      origin,
      access,
      checkoutApi.url,
      await newCheckouts(origin, access, options.payments),
    );
    const openMegabytes = await megabytesOf(checkoutApi.privateUrl);
    const broken = streams.filter(({ hasEnded }) => hasEnded).length;
    return { figures: { streams: streams.length, idleMegabytes, openMegabytes, notifiedMs }, lost: lost + broken };
  } finally {
    for (const stream of streams) stream.close();
  }
}

/** Each payment is made while the customer's stream is open. */
async function payments(api: PublicApi, access: MerchantAccess, url: string, checkouts: readonly Checkout[]) {
  const milliseconds: number[] = [];
  let lost = 0;
  await steadily(CHECKOUT_PAYMENTS_PER_SECOND, checkouts.length, async (number) => {
    const { id, customerReference: reference } = checkouts[number] as Checkout;
    const stream = await CheckoutStream.open(url, id);
    const message = bkashSendMoney({ amount: '500', reference, trxId: newTrxId(new Date()) });
    const { status } = await api.forwardSms(access, { sender: 'bKash', message, receiverMsisdn: walletOf(access) });
    if (status !== 202) throw new Error(`forwarding an SMS returned ${status}`);
    const acceptedAt = performance.now();
    await stream.until('PAID', PATIENCE_MS).then(
      ({ at }) => milliseconds.push(Math.max(0, at - acceptedAt)),
      () => (lost += 1),
    );
    stream.close();
  });
  return { notifiedMs: percentiles(milliseconds), lost };
}

async function newCheckouts(api: PublicApi, access: MerchantAccess, count: number): Promise<Checkout[]> {
  const made: Checkout[] = [];
  await inParallel(Array.from({ length: count }), OPENING_AT_ONCE, async () => {
    const { status, body } = await api.createIntent(access, {
      amount: 500,
      idempotencyKey: randomUUID(),
      paymentMethod: 'BKASH_SEND_MONEY',
      ttlSeconds: 3_600,
    });
    if (status !== 201) throw new Error(`an intent was not created: ${status}`);
    made.push(body);
  });
  return made;
}

function walletOf(access: MerchantAccess): string | null {
  return access.receivers.find(({ paymentMethod }) => paymentMethod === 'BKASH_SEND_MONEY')?.msisdn ?? null;
}

async function inParallel<Item>(items: readonly Item[], atOnce: number, work: (item: Item) => Promise<void>) {
  const rest = [...items];
  const worker = async () => {
    for (let next = rest.splice(0, 1); next.length > 0; next = rest.splice(0, 1)) await work(next[0] as Item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
