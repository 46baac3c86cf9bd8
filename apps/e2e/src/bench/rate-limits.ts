import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { PublicApi } from '../merchant-client';
import { ownUrl, type MerchantAccess, type RunningSystem } from '../system';
import { createLiveIntent, type NoiseFigures } from './noise-figures';
import { endChild, openProgram, withOpened, type Opened } from './opened';
import { percentiles, type Percentiles } from './scenarios';
import { steadily } from './steadily';

const QUIET_PER_SECOND = 50;

export interface NoisyNeighbourFigures {
  readonly quietMs: Percentiles;
  readonly loadedMs: Percentiles;
  /** p99 with load / p99 without. */
  readonly ratio: number;
  readonly noise: NoiseFigures;
  /** Failed requests of the quiet key. */
  readonly failed: number;
}

/**
 * Latency of a LIVE key while another merchant's LIVE key sends ten times its limit, and without it. Both use the same
 * routes with separate connections; half of the requests create an intent, half retrieve one.
 */
export async function noisyNeighbour(
  system: RunningSystem,
  options: { runDirectory: string; noiseFile: string; seconds: number; opened: Opened },
): Promise<NoisyNeighbourFigures> {
  const { runDirectory, noiseFile, seconds } = options;
  const quiet = system.merchants[1]?.live;
  if (!quiet) throw new Error('the running system has no two merchants');
  const quietApi = new PublicApi(ownUrl(system, 'intent-api'), 16);
  try {
    await measure(quietApi, quiet, 1);
    const alone = await measure(quietApi, quiet, seconds);
    const { loaded, noise } = await withOpened(options.opened, async (opened) => {
      // A separate process, so that its work does not affect the measured latency.
      const { child, output } = await openProgram(opened, [noiseFile, runDirectory]);
      const answer = text(output);
      // The first second empties the bucket of the noisy key.
      await delay(1_000);
      const beside = await measure(quietApi, quiet, seconds);
      await endChild(child);
      return { loaded: beside, noise: JSON.parse(await answer) as NoiseFigures };
    });
    return {
      quietMs: alone.latencyMs,
      loadedMs: loaded.latencyMs,
      ratio: loaded.latencyMs.p99 / alone.latencyMs.p99,
      noise,
      failed: alone.failed + loaded.failed,
    };
  } finally {
    await quietApi.close();
  }
}

/** Steady rate that does not wait for responses. */
async function measure(api: PublicApi, access: MerchantAccess, seconds: number) {
  const { id } = (await createLiveIntent(api, access)).body;
  const latencies: number[] = [];
  let failed = 0;
  await steadily(QUIET_PER_SECOND, seconds * QUIET_PER_SECOND, async (number) => {
    const begun = performance.now();
    const { status } = number % 2 ? await createLiveIntent(api, access) : await api.getIntent(access, id);
    latencies.push(performance.now() - begun);
    if (status >= 300) failed += 1;
  });
  return { latencyMs: percentiles(latencies), failed };
}
