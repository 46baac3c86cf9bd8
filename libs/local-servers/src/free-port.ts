import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const HOST = '127.0.0.1';
/**
 * Below the range of ephemeral ports of Linux (from 32768), macOS and Windows (from 49152), so that no outgoing
 * connection takes a port that was just found.
 */
const RANGE = [15_000, 32_000] as const;
const TRIES = 50;

/** Finds a free TCP port on loopback: the preferred one if it is free, else a random one. */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isFree(preferred))) return preferred;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(...RANGE);
    if (await isFree(port)) return port;
  }
  throw new Error(`No TCP port from ${RANGE[0]} to ${RANGE[1]} was found to be free on ${HOST}.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, HOST, () => server.close(() => resolve(true)));
  });
}
