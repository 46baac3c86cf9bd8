import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { BusinessError } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { aborted, type Worker } from '@pay/runtime';
import { STREAM_HEADERS } from '../../live-updates/change-streams';
import { findRun, testRunOf } from './test-run-repository';

const POLL_MS = 250;
const KEEP_ALIVE_MS = 15_000;
/** Longer than a run. A client reopens a closed stream. */
const LONGEST_MS = 10 * 60_000;
/** Maximum number of streams per process. Each one reads the database four times a second. */
const MOST_STREAMS = 100;

export type StreamResponse = Pick<ServerResponse, 'write' | 'writeHead' | 'end' | 'on' | 'destroyed'>;

export interface RunStreams {
  /** Sends the run after each change until it has ended. Resolves when the stream is open. */
  open(
    run: { readonly merchantId: string; readonly id: string },
    response: StreamResponse,
    isHead: boolean,
  ): Promise<void>;
  /**
   * Ends all streams when the process stops, because an open one would delay the stop. Clients reconnect to another
   * replica.
   */
  readonly worker: Worker;
}

export function openRunStreams({ db }: { readonly db: Queryable }): RunStreams {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  let count = 0;

  async function send(merchantId: string, id: string, response: StreamResponse): Promise<void> {
    const endAt = performance.now() + LONGEST_MS;
    let revision = -1;
    let aliveAt = performance.now();
    while (!response.destroyed && !stopping.signal.aborted && performance.now() < endAt) {
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
      await delay(POLL_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  return {
    async open({ merchantId, id }, response, isHead) {
      const first = await findRun(db, merchantId, id);
      if (first === undefined) throw new BusinessError('NOT_FOUND');
      if (count >= MOST_STREAMS) throw new BusinessError('RATE_LIMITED', undefined, 5);
      response.on('error', () => undefined);
      response.writeHead(200, STREAM_HEADERS);
      if (isHead) {
        response.end();
        return;
      }
      count += 1;
      void send(merchantId, id, response).finally(() => {
        count -= 1;
        response.end();
      });
    },
    worker: {
      name: 'run streams',
      async run(signal) {
        await aborted(signal);
        stopping.abort();
      },
    },
  };
}
