import { randomUUID } from 'node:crypto';
import { MAX_TTL_SECONDS } from '@pay/contracts';
import pg from 'pg';
import { ControlPlane } from '../control-plane';
import { PublicApi } from '../merchant-client';
import { ownMerchant, type OwnMerchant } from '../own-merchant';
import { databaseOf, ownUrl, type RunningSystem } from '../system';
import { atRest } from './at-rest';
import { besideFloor, type BesideFloor } from './beside-floor';
import { emptyList, fillList, shopOf, timeOf } from './fill-lists';
import { FLOOR_CONNECTIONS, ratePerSecond, type FloorMeter } from './floors';
import { percentiles, type Percentiles } from './scenarios';

export interface GrowthFigures {
  readonly intents: number;
  readonly create: BesideFloor;
  readonly retrieve: BesideFloor;
  /** Milliseconds by name of the request, with one request at a time. */
  readonly latencyMs: Readonly<Record<string, Percentiles>>;
}

export interface GrowthOptions {
  readonly runDirectory: string;
  /** Numbers of intents of the merchant, in ascending order. */
  readonly sizes: readonly number[];
  readonly requestsEach: number;
  readonly secondsEach: number;
  readonly floors: FloorMeter;
}

/** Minimum number of intents for requests of distant pages. */
const MANY_INTENTS = 100_000;

/**
 * Inserts intents by SQL and measures requests at the port of intent-api, without the local origin. The inserted rows
 * are deleted at the end.
 */
export async function measureGrowth(system: RunningSystem, options: GrowthOptions): Promise<GrowthFigures[]> {
  const merchant = await ownMerchant(system, new ControlPlane(options.runDirectory, system));
  const shop = shopOf(merchant);
  const api = new PublicApi(ownUrl(system, 'intent-api'), FLOOR_CONNECTIONS);
  const client = new pg.Client({ connectionString: databaseOf(system, 'intent-api') });
  await client.connect();
  try {
    await client.query('set search_path = intent_api');
    const figures: GrowthFigures[] = [];
    let filled = 0;
    for (const size of options.sizes) {
      await fillList(client, { list: 'payments', shop, first: filled + 1, last: size });
      filled = size;
      figures.push(await measure(api, merchant, size, { ...options, rest: () => atRest(system) }));
    }
    return figures;
  } finally {
    await api.close();
    await emptyList(client, 'payments', shop);
    await client.end();
  }
}

async function measure(
  api: PublicApi,
  { sandbox }: OwnMerchant,
  intents: number,
  { requestsEach, secondsEach, floors, rest }: GrowthOptions & { readonly rest: () => Promise<void> },
): Promise<GrowthFigures> {
  const ids: string[] = [];
  const create = async () => {
    const { status, body } = await api.createIntent(sandbox, {
      amount: 500,
      idempotencyKey: randomUUID(),
      paymentMethod: 'BKASH_SEND_MONEY',
      ttlSeconds: MAX_TTL_SECONDS,
    });
    if (status !== 201) throw new Error(`an intent was not created: ${status}`);
    ids.push(body.id);
  };
  let next = 0;
  const retrieve = async () => {
    const { status } = await api.getIntent(sandbox, ids[(next += 1) % ids.length] ?? '');
    if (status !== 200) throw new Error(`an intent was not answered: ${status}`);
  };
  const list = (query: string) => async () => {
    const path = `/v1/payments/intents?${query}`;
    const { status } = await api.call('GET', path, { 'x-api-key': sandbox.apiKey });
    if (status !== 200) throw new Error(`a list was not answered: ${status}`);
  };

  const latencyMs: Record<string, Percentiles> = {};
  const requests = {
    create,
    retrieve,
    ...Object.fromEntries(lists(intents).map(([name, query]) => [name, list(query)])),
  };
  await rest();
  for (const [name, request] of Object.entries(requests)) latencyMs[name] = await latencyOf(request, requestsEach);
  const rateOf = (request: () => Promise<void>) => async () => {
    await ratePerSecond(request, FLOOR_CONNECTIONS, secondsEach / 4);
    return ratePerSecond(request, FLOOR_CONNECTIONS, secondsEach);
  };
  return {
    intents,
    create: await besideFloor(rateOf(create), { floor: floors.insert, rest }),
    retrieve: await besideFloor(rateOf(retrieve), { floor: floors.select, rest }),
    latencyMs,
  };
}

/** Query by name. Distant pages only if they exist. */
function lists(intents: number): [string, string][] {
  const half = Math.floor(intents / 2);
  const far: [string, string][] = [
    ['page 1,000 of 20', 'page=1000&limit=20'],
    ['page 1,000 of 100', 'page=1000&limit=100'],
    ['page 1,000 of 100 by status', 'page=1000&limit=100&status=PAID'],
  ];
  return [
    ['first page', ''],
    ['by status', 'status=PAID'],
    ['by a rare status', 'status=REVIEW_REQUIRED'],
    ['by paymentMethod', 'paymentMethod=BKASH_SEND_MONEY'],
    ['by status and paymentMethod', 'status=FAILED&paymentMethod=NAGAD_SEND_MONEY'],
    ['by merchantReference', `merchantReference=order-${half}`],
    ['by customerReference', `customerReference=f-${half}`],
    ['by createdFrom, a day', `createdFrom=${timeOf(17_280)}`],
    ['by createdFrom and createdTo, a half', `createdFrom=${timeOf(intents)}&createdTo=${timeOf(half)}`],
    ['by createdFrom, all', 'createdFrom=2020-01-01T00:00:00Z'],
    ...far.filter(() => intents >= MANY_INTENTS),
  ];
}

async function latencyOf(request: () => Promise<void>, times: number): Promise<Percentiles> {
  for (let warm = 0; warm < 10; warm += 1) await request();
  const milliseconds: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const started = performance.now();
    await request();
    milliseconds.push(performance.now() - started);
  }
  return percentiles(milliseconds);
}
