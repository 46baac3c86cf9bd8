import { freePort } from '@pay/local-servers';

const TRIES = 100;

/** The wanted port, or the next one above it that is free. */
export async function findPort(wanted: number): Promise<number> {
  for (let port = wanted; port < wanted + TRIES && port <= 65_535; port += 1) {
    if ((await freePort(port)) === port) return port;
  }
  throw new Error(`No port from ${wanted} to ${wanted + TRIES - 1} is free. Choose another port with --port.`);
}

/** As many different free ports as asked for. */
export async function findPorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}
