import { setTimeout as delay } from 'node:timers/promises';
import type { PublicApi } from '../merchant-client';
import type { ServiceDatabases } from '../service-databases';
import type { MerchantAccess } from '../system';
import { megabytesOf } from './memory';
import { until } from './patience';
import type { EventSource } from './webhook-events';
import type { Shop } from './webhook-shop';

const ENDPOINTS = 4;
const LOOK_MS = 1_000;
/** A probe detects recovered endpoints within five minutes. Then a hundred thousand deliveries must arrive. */
const PATIENCE_MS = 600_000;

export interface BacklogFigures {
  readonly deliveries: number;
  /**
   * Resident memory of the dispatcher: before, maximum while queuing, with all deliveries waiting, maximum while
   * sending.
   */
  readonly idleMegabytes: number;
  readonly queueingMegabytes: number;
  readonly queuedMegabytes: number;
  readonly drainingMegabytes: number;
  /** Counted from the first to the last request after the recovery of the endpoints. */
  readonly drainedPerSecond: number;
}

export interface BacklogParts {
  readonly databases: ServiceDatabases;
  readonly api: PublicApi;
  readonly sandbox: MerchantAccess;
  readonly shop: Shop;
  readonly source: EventSource;
  readonly privateUrl: string;
  readonly register: () => Promise<string>;
}

/** Endpoints never respond while deliveries are queued, and then recover. */
export async function measureBacklog(parts: BacklogParts, deliveries: number): Promise<BacklogFigures> {
  const { databases, api, sandbox, shop, source, privateUrl, register } = parts;
  const idleMegabytes = await megabytesOf(privateUrl);
  shop.forget();
  shop.hang();
  const ids: string[] = [];
  for (let number = 0; number < ENDPOINTS; number += 1) ids.push(await register());
  const count = (condition: string) => countDeliveries(databases, ids, condition);

  const queueing = highest(privateUrl);
  for (let rest = deliveries / ENDPOINTS; rest > 0; rest -= 500) await source.publish(Math.min(rest, 500));
  await until(async () => (await count('true')) >= deliveries, 'every delivery is planned', PATIENCE_MS);
  const queueingMegabytes = await queueing.end();
  const queuedMegabytes = await megabytesOf(privateUrl);

  const before = shop.requests;
  shop.answer();
  const draining = highest(privateUrl);
  await until(() => shop.requests > before, 'a probe finds an endpoint back', PATIENCE_MS);
  const started = performance.now();
  await until(() => shop.arrived.size >= deliveries, 'the backlog arrives', PATIENCE_MS);
  const seconds = (performance.now() - started) / 1_000;
  const drainingMegabytes = await draining.end();
  await until(async () => (await count(`status = 'DELIVERED'`)) >= deliveries, 'every delivery is DELIVERED');
  for (const id of ids) await api.deleteEndpoint(sandbox, id);
  const drainedPerSecond = deliveries / seconds;
  return { deliveries, idleMegabytes, queueingMegabytes, queuedMegabytes, drainingMegabytes, drainedPerSecond };
}

/** Polls every second until `end`, which returns the maximum. */
function highest(privateUrl: string): { end(): Promise<number> } {
  const stop = new AbortController();
  const looking = (async () => {
    let megabytes = 0;
    while (!stop.signal.aborted) {
      megabytes = Math.max(megabytes, await megabytesOf(privateUrl));
      await delay(LOOK_MS);
    }
    return Math.max(megabytes, await megabytesOf(privateUrl));
  })();
  return {
    end() {
      stop.abort();
      return looking;
    },
  };
}

async function countDeliveries(
  databases: ServiceDatabases,
  endpointIds: readonly string[],
  condition: string,
): Promise<number> {
  const { rows } = await databases.query<{ count: string }>(
    'webhook-dispatcher',
    `select count(*) from webhook_dispatcher.deliveries where endpoint_id = any($1) and ${condition}`,
    [endpointIds],
  );
  return Number(rows[0]?.count);
}
