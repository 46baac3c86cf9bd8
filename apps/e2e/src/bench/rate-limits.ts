import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { PublicDoors } from '../merchant-client';
import type { MerchantAccess, RunningSystem } from '../system';
import { percentiles, type Percentiles } from './scenarios';

/** What a LIVE key may send per second; a system started by `npm start` leaves it as it is. */
const LIMIT_PER_SECOND = 100;
const TIMES_THE_LIMIT = 10;
const QUIET_PER_SECOND = 50;
const MOST_UNDER_WAY = 64;

export interface NoisyNeighbourFigures {
  readonly quietMs: Percentiles;
  readonly loadedMs: Percentiles;
  /** p99 loaded by p99 quiet. */
  readonly ratio: number;
  readonly noise: { readonly sentPerSecond: number; readonly admittedPerSecond: number; readonly refused: number };
  /** Requests of the quiet key that were answered otherwise than well. */
  readonly failed: number;
}

/**
 * One LIVE key sends ten times its limit; the latency of another merchant's LIVE key, alone and meanwhile. Half of the requests create an
 * intent, half retrieve one; both keys use the same doors, through connections of their own.
 */
export async function noisyNeighbour(system: RunningSystem, seconds: number): Promise<NoisyNeighbourFigures> {
  const [noisy, quiet] = system.merchants.map((merchant) => merchant.live);
  if (!noisy || !quiet) throw new Error('the running system has no two merchants');
  const [noisyDoors, quietDoors] = [new PublicDoors(system.baseUrl, 64), new PublicDoors(system.baseUrl, 16)];
  try {
    await measure(quietDoors, quiet, 1);
    const alone = await measure(quietDoors, quiet, seconds);
    const stop = new AbortController();
    const noise = makeNoise(noisyDoors, noisy, stop.signal);
    // The first second is the noisy key's bucket: what it may send at once.
    await delay(1_000);
    const loaded = await measure(quietDoors, quiet, seconds);
    stop.abort();
    return {
      quietMs: alone.latencyMs,
      loadedMs: loaded.latencyMs,
      ratio: loaded.latencyMs.p99 / alone.latencyMs.p99,
      noise: await noise,
      failed: alone.failed + loaded.failed,
    };
  } finally {
    await Promise.all([noisyDoors.close(), quietDoors.close()]);
  }
}

/** At a steady rate that does not wait for answers. */
async function measure(doors: PublicDoors, access: MerchantAccess, seconds: number) {
  const { id } = (await createIntent(doors, access)).body;
  const latencies: number[] = [];
  let failed = 0;
  await steadily(QUIET_PER_SECOND, seconds * QUIET_PER_SECOND, async (number) => {
    const begun = performance.now();
    const { status } = number % 2 ? await createIntent(doors, access) : await doors.getIntent(access, id);
    latencies.push(performance.now() - begun);
    if (status >= 300) failed += 1;
  });
  return { latencyMs: percentiles(latencies), failed };
}

async function makeNoise(doors: PublicDoors, access: MerchantAccess, signal: AbortSignal) {
  const begun = performance.now();
  let [sent, refused] = [0, 0];
  await steadily(LIMIT_PER_SECOND * TIMES_THE_LIMIT, Infinity, (number) => send(number), signal);
  const seconds = (performance.now() - begun) / 1_000;
  return { sentPerSecond: sent / seconds, admittedPerSecond: (sent - refused) / seconds, refused };

  async function send(number: number): Promise<void> {
    const { status } = number % 2 ? await createIntent(doors, access) : await doors.getIntent(access, randomUUID());
    sent += 1;
    if (status === 429) refused += 1;
  }
}

async function steadily(
  perSecond: number,
  times: number,
  send: (number: number) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const begun = performance.now();
  for (let number = 0; number < times && signal?.aborted !== true; number += 1) {
    const wait = begun + (number * 1_000) / perSecond - performance.now();
    if (wait > 1) await delay(wait);
    // On a machine that cannot keep up, what is sent says so; a queue in here would measure itself.
    if (running.size >= MOST_UNDER_WAY) await Promise.race(running);
    const sending: Promise<void> = send(number).finally(() => running.delete(sending));
    running.add(sending);
  }
  await Promise.all(running);
}

function createIntent(doors: PublicDoors, access: MerchantAccess) {
  const fields = { amount: 250, idempotencyKey: randomUUID(), paymentMethod: 'BKASH_SEND_MONEY' };
  return doors.createIntent(access, fields);
}
