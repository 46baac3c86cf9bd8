import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort, takeLockFile, type FileLock } from '@pay/local-servers';

const TRIES = 100;
const LOCKS = join(tmpdir(), `payment-gateway-ports-${userInfo().username}`);

/** Returns the next free port from `wanted` on. */
export async function findPort(wanted: number): Promise<number> {
  return firstPort(wanted, async (port) => ((await isFree(port)) ? port : undefined));
}

export interface TakenPort extends FileLock {
  readonly port: number;
}

/** For a server that listens later: no other start of this user can take the port before it is released. */
export async function takePort(wanted: number, locks = LOCKS): Promise<TakenPort> {
  return firstPort(wanted, (port) => tryTake(port, locks));
}

/** As `takePort`, for servers whose ports may be any. */
export async function takePorts(count: number, locks = LOCKS): Promise<TakenPort[]> {
  const taken: TakenPort[] = [];
  while (taken.length < count) {
    const port = await tryTake(await freePort(), locks);
    if (port !== undefined) taken.push(port);
  }
  return taken;
}

async function tryTake(port: number, locks: string): Promise<TakenPort | undefined> {
  const lock = takeLockFile(join(locks, `${port}.lock`), `Port ${port}`);
  if (!('release' in lock)) return undefined;
  if (await isFree(port)) return { port, ...lock };
  lock.release();
  return undefined;
}

async function firstPort<T>(wanted: number, tryPort: (port: number) => Promise<T | undefined>): Promise<T> {
  for (let port = wanted; port < wanted + TRIES && port <= 65_535; port += 1) {
    const found = await tryPort(port);
    if (found !== undefined) return found;
  }
  throw new Error(
    `No port from ${wanted} to ${wanted + TRIES - 1} is free. Choose another one, for example --port ${wanted + TRIES}.`,
  );
}

async function isFree(port: number): Promise<boolean> {
  return (await freePort(port)) === port;
}
