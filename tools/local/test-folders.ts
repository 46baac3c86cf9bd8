import { createHash } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { freemem, userInfo } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './arguments';

const GIB = 2 ** 30;
const IN_MEMORY = '/dev/shm';
/** The servers of a whole run write up to 3 GiB, most of it write-ahead log. */
const NEEDED_BYTES = 4 * GIB;
/** What the programs of a run need beside that. */
const NEEDED_MEMORY_BYTES = 10 * GIB;

const onDisk = join(ROOT, '.run', 'tests');
const hash = createHash('sha256').update(ROOT).digest('hex').slice(0, 12);
const inMemory = join(IN_MEMORY, `payment-gateway-tests-${userInfo().uid}-${hash}`);

/** Where test runs of this checkout keep their files; runs that were killed may have left some in each. */
export const TEST_FOLDERS = { onDisk, inMemory };

/**
 * Below it a test run keeps the data of its servers and its temporary files. In memory where there is plenty:
 * hundreds of databases and thousands of queues are made and deleted, and a disk's file system spends more processor
 * time on that than the tests do.
 */
export function testFolder(): string {
  return freemem() > NEEDED_MEMORY_BYTES && freeBytes(IN_MEMORY) > NEEDED_BYTES ? inMemory : onDisk;
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
