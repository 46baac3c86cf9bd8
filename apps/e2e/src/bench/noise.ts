/**
 * Sends ten times the limit of a LIVE key until SIGTERM or the end of its parent, and prints the results. Usage:
 * noise.js <run directory>
 */
import { randomUUID } from 'node:crypto';
import { StopSignal } from '@pay/local-servers';
import { PublicApi } from '../merchant-client';
import { ownUrl, readSystem } from '../system';
import { createLiveIntent, type NoiseFigures } from './noise-figures';
import { steadily } from './steadily';

/** Limit of a LIVE key per second. `npm start` does not change it. */
const LIMIT_PER_SECOND = 100;
const TIMES_THE_LIMIT = 10;

async function makeNoise(runDirectory: string, signal: AbortSignal): Promise<NoiseFigures> {
  const system = readSystem(runDirectory);
  const [merchant] = system.merchants;
  if (!merchant) throw new Error('the running system has no merchant');
  const access = merchant.live;
  const api = new PublicApi(ownUrl(system, 'intent-api'), 64);
  const begun = performance.now();
  let [sent, refused] = [0, 0];

  async function send(number: number): Promise<void> {
    const answer = number % 2 ? createLiveIntent(api, access) : api.getIntent(access, randomUUID());
    const { status } = await answer;
    sent += 1;
    if (status === 429) refused += 1;
  }

  await steadily(LIMIT_PER_SECOND * TIMES_THE_LIMIT, Infinity, send, signal);
  const seconds = (performance.now() - begun) / 1_000;
  await api.close();
  return { sentPerSecond: sent / seconds, admittedPerSecond: (sent - refused) / seconds, refused };
}

const stop = new StopSignal();
stop.listen();
const stopped = new AbortController();
void stop.requested.then(() => stopped.abort());
makeNoise(process.argv[2] ?? '.run', stopped.signal).then(
  (figures) => process.stdout.write(JSON.stringify(figures), () => process.exit()),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
