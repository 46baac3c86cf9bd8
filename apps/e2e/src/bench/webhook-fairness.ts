import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PublicDoors } from '../merchant-client';
import type { MerchantAccess } from '../system';
import { until } from './patience';
import { percentiles, type Percentiles } from './scenarios';
import { steadily } from './steadily';
import type { EventSource } from './webhook-events';

const EVENTS_PER_SECOND = 50;

export interface FairnessFigures {
  /** Event to first attempt at an endpoint that is alone. */
  readonly quietMs: Percentiles;
  /** The same while another endpoint is sent every event too, and never answers. */
  readonly besideMs: Percentiles;
  /** Requests that the hanging endpoint held at once, at most. */
  readonly heldAtMost: number;
}

export interface FairnessParts {
  readonly doors: PublicDoors;
  readonly sandbox: MerchantAccess;
  readonly source: EventSource;
  readonly register: (url: string) => Promise<string>;
}

/** What an endpoint that hangs costs another one, when each has half of the traffic. */
export async function measureFairness(parts: FairnessParts, seconds: number): Promise<FairnessFigures> {
  const { doors, sandbox, source, register } = parts;
  const events = EVENTS_PER_SECOND * seconds;
  const street = await openStreet();
  const round = async (): Promise<Percentiles> => {
    street.milliseconds.length = 0;
    await steadily(EVENTS_PER_SECOND, events, () => source.publish(1));
    await until(() => street.milliseconds.length >= events, 'every event arrives');
    return percentiles(street.milliseconds);
  };
  try {
    const healthy = await register(`${street.url}/healthy`);
    await round();
    const quietMs = await round();
    const hanging = await register(`${street.url}/hangs`);
    const besideMs = await round();
    for (const id of [healthy, hanging]) await doors.deleteEndpoint(sandbox, id);
    return { quietMs, besideMs, heldAtMost: street.heldAtMost };
  } finally {
    await street.close();
  }
}

/** Two endpoints: one answers and says how long ago what it is told of happened, the other never answers. */
async function openStreet() {
  const milliseconds: number[] = [];
  let held = 0;
  let heldAtMost = 0;
  const server = createServer((request, response) => {
    const at = performance.timeOrigin + performance.now();
    request.on('error', () => undefined);
    if (request.url === '/hangs') {
      held += 1;
      heldAtMost = Math.max(heldAtMost, held);
      request.resume();
      response.on('close', () => (held -= 1));
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
    ...{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, milliseconds },
    get heldAtMost() {
      return heldAtMost;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
