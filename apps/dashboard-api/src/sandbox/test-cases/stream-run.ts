import { BusinessError } from '@pay/contracts';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@pay/persistence';
import type { Response } from 'express';
import { findRun, testRunOf } from './test-run-repository';

const POLL_MS = 250;
const KEEP_ALIVE_MS = 15_000;
/** Runs last less than ten minutes; a client opens a closed stream again. */
const LONGEST_MS = 10 * 60_000;
/** Streams of one process: each asks the database four times a second. */
const MOST_STREAMS = 100;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // A proxy that collects an answer before it passes it on would pass on nothing.
  'X-Accel-Buffering': 'no',
};

let open = 0;

/** Sends the run after each change until it has ended. Resolves when the stream is open. */
export async function streamRun(
  { db }: { readonly db: Database },
  { merchantId, id }: { readonly merchantId: string; readonly id: string },
  response: Response,
  isHead: boolean,
): Promise<void> {
  const first = await findRun(db, merchantId, id);
  if (first === undefined) throw new BusinessError('NOT_FOUND');
  if (open >= MOST_STREAMS) throw new BusinessError('RATE_LIMITED', undefined, 5);
  response.on('error', () => undefined);
  response.writeHead(200, HEADERS);
  if (isHead) {
    response.end();
    return;
  }
  open += 1;
  void send(db, merchantId, id, response).finally(() => {
    open -= 1;
    response.end();
  });
}

async function send(db: Database, merchantId: string, id: string, response: Response): Promise<void> {
  const endAt = performance.now() + LONGEST_MS;
  let revision = -1;
  let aliveAt = performance.now();
  while (!response.destroyed && performance.now() < endAt) {
    const row = await findRun(db, merchantId, id).catch(() => undefined);
    if (row === undefined) return;
    if (row.revision !== revision) {
      revision = row.revision;
      aliveAt = performance.now();
      response.write(`id: ${revision}\nevent: run\ndata: ${JSON.stringify(testRunOf(row))}\n\n`);
    }
    if (row.status === 'ENDED') {
      response.write('event: end\ndata: {}\n\n');
      return;
    }
    if (performance.now() - aliveAt > KEEP_ALIVE_MS) {
      aliveAt = performance.now();
      response.write(': alive\n\n');
    }
    await delay(POLL_MS);
  }
}
