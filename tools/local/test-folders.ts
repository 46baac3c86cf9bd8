import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem, userInfo } from 'node:os';
import { join } from 'node:path';
import { endServersBelow } from '@pay/local-servers';
import { ROOT } from './arguments';
import { endLeftBehind } from './left-behind';

const GIB = 2 ** 30;
const IN_MEMORY = '/dev/shm';
/** The servers of a complete run write up to 3 GiB, mostly write-ahead log. */
const NEEDED_BYTES = 4 * GIB;
/** Memory that the programs of a run need in addition. */
const NEEDED_MEMORY_BYTES = 10 * GIB;

const onDisk = join(ROOT, '.run', 'tests');
const hash = createHash('sha256').update(ROOT).digest('hex').slice(0, 12);
const inMemory = join(IN_MEMORY, `payment-gateway-tests-${userInfo().uid}-${hash}`);

/** Folders of the systems that the stage e2e starts, inside the folder of the run. */
const SYSTEMS = ['system', 'faults'];

/** Folders of test runs of this checkout. Killed runs may have left some. */
export function testFolders(): string[] {
  return [onDisk, inMemory].filter((folder) => existsSync(folder) && isOwn(folder));
}

/**
 * Contains the data of the servers and temporary files. Uses memory if there is plenty, because creating hundreds of
 * databases on a disk costs more processor time than the tests.
 */
export function makeTestFolder(): string {
  if (Math.min(freemem(), process.availableMemory()) > NEEDED_MEMORY_BYTES && freeBytes(IN_MEMORY) > NEEDED_BYTES) {
    mkdirSync(inMemory, { recursive: true, mode: 0o700 });
    if (isOwn(inMemory)) return inMemory;
  }
  mkdirSync(onDisk, { recursive: true });
  return onDisk;
}

/** Ends its processes and deletes the folder. */
export async function forgetTestRun(runDir: string): Promise<void> {
  for (const system of SYSTEMS) await endLeftBehind(join(runDir, system));
  // Interrupted specs that kill brokers leave their own servers.
  await endServersBelow(runDir);
  rmSync(runDir, { recursive: true, force: true });
}

/** Any user can create folders in memory, so the folder must belong to this user. */
function isOwn(folder: string): boolean {
  const found = lstatSync(folder);
  return found.isDirectory() && found.uid === userInfo().uid;
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
