import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PublicApi } from '../merchant-client';
import type { MerchantAccess } from '../system';
import { until } from './patience';
import { percentiles, type Percentiles } from './scenarios';
import { steadily } from './steadily';
import type { EventSource } from './webhook-events';

export const EVENTS_PER_SECOND = 50;
/** Alternates between both situations, because other work of the machine would affect only one of them. */
const ROUNDS = 5;

export interface FairnessFigures {
  /** From the event to the first attempt at the only endpoint. Median over the rounds, for each percentile. */
  readonly quietMs: Percentiles;
  /** The same while another endpoint gets every event and never responds. */
  readonly besideMs: Percentiles;
  /** Maximum number of concurrent requests at the hanging endpoint. */
  readonly heldAtMost: number;
}

export interface FairnessParts {
  readonly api: PublicApi;
  readonly sandbox: MerchantAccess;
  readonly source: EventSource;
  readonly register: (url: string) => Promise<string>;
}

/** The effect of a hanging endpoint on another one, when each gets half of the events. */
export async function measureFairness(parts: FairnessParts, seconds: number): Promise<FairnessFigures> {
  const { api, sandbox, source, register } = parts;
  const events = EVENTS_PER_SECOND * seconds;
  const street = await openStreet();
  const far = await openStreet();
  const round = async (): Promise<Percentiles> => {
    street.milliseconds.length = 0;
    await steadily(EVENTS_PER_SECOND, events, () => source.publish(1));
    await until(() => street.milliseconds.length >= events, 'every event arrives');
    return percentiles(street.milliseconds);
  };
  try {
    const healthy = await register(`${street.url}/healthy`);
    await round();
    const quiet: Percentiles[] = [];
    const beside: Percentiles[] = [];
    for (let number = 0; number < ROUNDS; number += 1) {
      quiet.push(await round());
      // A new endpoint per round, because the breaker of the previous one is open.
      const hanging = await register(`${far.url}/hangs`);
      beside.push(await round());
      await api.deleteEndpoint(sandbox, hanging);
      await far.letGo();
    }
    await api.deleteEndpoint(sandbox, healthy);
    return { quietMs: middle(quiet), besideMs: middle(beside), heldAtMost: far.heldAtMost };
  } finally {
    await street.close();
    await far.close();
  }
}

function middle(rounds: readonly Percentiles[]): Percentiles {
  const of = (name: keyof Percentiles): number =>
    rounds.map((each) => each[name]).sort((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? 0;
  return { p50: of('p50'), p95: of('p95'), p99: of('p99'), max: of('max') };
}

/** One endpoint responds and records the age of its events, the other never responds. */
async function openStreet() {
  const milliseconds: number[] = [];
  const held = new Set<ServerResponse>();
  let heldAtMost = 0;
  const server = createServer((request, response) => {
    const at = performance.timeOrigin + performance.now();
    request.on('error', () => undefined);
    if (request.url === '/hangs') {
      held.add(response);
      heldAtMost = Math.max(heldAtMost, held.size);
      request.resume();
      response.on('close', () => held.delete(response));
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { timestamp } = JSON.parse(Buffer.concat(chunks).toString()) as { timestamp: string };
      milliseconds.push(at - Date.parse(timestamp));
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    milliseconds,
    get heldAtMost() {
      return heldAtMost;
    },
    /** Closes hanging requests. */
    async letGo() {
      for (const response of held) response.destroy();
      await until(() => held.size === 0, 'no endpoint is held');
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
