import type { Queryable } from '@pay/persistence';
import { openRunStreams, type StreamResponse } from './run-streams';
import type { TestRunRow } from './test-run-repository';

const RUN = { merchantId: '0198a5a0-0000-7000-8000-000000000001', id: '0198a5a0-0000-7000-8000-000000000002' };

function dbWith(row: Partial<TestRunRow>): Queryable {
  const full = { id: RUN.id, createdAt: new Date(), startedAt: null, endedAt: null, expectations: [], ...row };
  return { query: () => Promise.resolve([full]) } as unknown as Queryable;
}

function aStreamResponse() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const written: string[] = [];
  const response = {
    destroyed: false,
    on: () => response,
    writeHead: () => response,
    end: () => end(),
    write: (text: string) => written.push(text) > 0,
  } as unknown as StreamResponse;
  return { response, written, ended };
}

it('an open stream of a running case ends when the process stops, without saying that the run has ended', async () => {
  const streams = openRunStreams({ db: dbWith({ status: 'RUNNING', revision: 3 }) });
  const stop = new AbortController();
  const running = streams.worker.run(stop.signal);
  const { response, written, ended } = aStreamResponse();
  await streams.open(RUN, response, false);

  stop.abort();

  await running;
  await ended;
  expect(written).toEqual([expect.stringMatching(/^id: 3\nevent: run\n/)]);
});
