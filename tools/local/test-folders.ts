import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem, userInfo } from 'node:os';
import { join } from 'node:path';
import { endServersBelow } from '@pay/local-servers';
import { ROOT } from './arguments';
import { endLeftBehind } from './left-behind';

const GIB = 2 ** 30;
const IN_MEMORY = '/dev/shm';
/** The servers of a whole run write up to 3 GiB, most of it write-ahead log. */
const NEEDED_BYTES = 4 * GIB;
/** Additional space for the programs of a run. */
const NEEDED_MEMORY_BYTES = 10 * GIB;

const onDisk = join(ROOT, '.run', 'tests');
const hash = createHash('sha256').update(ROOT).digest('hex').slice(0, 12);
const inMemory = join(IN_MEMORY, `payment-gateway-tests-${userInfo().uid}-${hash}`);

/** Folders of the systems that the stage e2e starts, in that of its run. */
const SYSTEMS = ['system', 'faults'];

/** Where test runs of this checkout keep their files; runs that were killed may have left some in each. */
export function testFolders(): string[] {
  return [onDisk, inMemory].filter((folder) => existsSync(folder) && isOwn(folder));
}

/**
 * Below it a test run keeps the data of its servers and its temporary files. In memory where there is plenty:
 * hundreds of databases and thousands of queues are created and deleted, and a disk's file system spends more processor
 * time on that than the tests do.
 */
export function makeTestFolder(): string {
  if (Math.min(freemem(), process.availableMemory()) > NEEDED_MEMORY_BYTES && freeBytes(IN_MEMORY) > NEEDED_BYTES) {
    mkdirSync(inMemory, { recursive: true, mode: 0o700 });
    if (isOwn(inMemory)) return inMemory;
  }
  mkdirSync(onDisk, { recursive: true });
  return onDisk;
}

/** Ends the processes of a test run and deletes its folder. */
export async function forgetTestRun(runDir: string): Promise<void> {
  for (const system of SYSTEMS) await endLeftBehind(join(runDir, system));
  // Specs that kill brokers start their own; an interrupted one leaves them behind.
  await endServersBelow(runDir);
  rmSync(runDir, { recursive: true, force: true });
}

/** Any user can create folders in memory, so a folder of this name that another user owns is not used. */
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
