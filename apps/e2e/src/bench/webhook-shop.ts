import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Records requests, and responds with 200 immediately unless it hangs. */
export interface Shop {
  readonly url: string;
  /** Delivery ids. */
  readonly arrived: ReadonlySet<string>;
  readonly requests: number;
  /** Time of the first byte in milliseconds since 1970. */
  readonly atByIntent: ReadonlyMap<string, number>;
  forget(): void;
  hang(): void;
  /** Also responds to hanging requests. */
  answer(): void;
  close(): Promise<void>;
}

export async function openShop(): Promise<Shop> {
  const arrived = new Set<string>();
  const atByIntent = new Map<string, number>();
  let waiting: ServerResponse[] = [];
  let requests = 0;
  let hangs = false;
  const server = createServer((request, response) => {
    const at = performance.timeOrigin + performance.now();
    requests += 1;
    arrived.add(String(request.headers['x-webhook-id']));
    atByIntent.set(String(request.headers['x-webhook-idempotency-key']).replace('payment.paid:', ''), at);
    request.on('error', () => undefined).resume();
    if (hangs) waiting.push(response);
    else request.on('end', () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    arrived,
    atByIntent,
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
    answer() {
      hangs = false;
      for (const response of waiting) response.end();
      waiting = [];
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
