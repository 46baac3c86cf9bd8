import type { Queryable } from '@pay/persistence';
import { createLogger } from '@pay/runtime';
import type { StreamResponse } from '../../live-updates/event-streams';
import { openRunStreams } from './run-streams';
import type { TestRunRow } from './test-run-repository';

const RUN = { merchantId: '0198a5a0-0000-7000-8000-000000000001', id: '0198a5a0-0000-7000-8000-000000000002' };
const SESSION = { sessionId: 's1', userId: 'u1', merchantId: RUN.merchantId, role: 'VIEWER' } as const;

function aStage() {
  const full = { id: RUN.id, createdAt: new Date(), startedAt: null, endedAt: null, expectations: [] };
  const state = {
    row: { status: 'RUNNING', revision: 3 } as Partial<TestRunRow> | undefined,
    isOver: false,
    isAway: false,
  };
  const query = () => Promise.resolve(state.row === undefined ? [] : [{ ...full, ...state.row }]);
  const streams = openRunStreams({
    db: { query } as unknown as Queryable,
    currentSession: (session) =>
      state.isAway ? Promise.reject(new Error('no database')) : Promise.resolve(state.isOver ? undefined : session),
    log: createLogger({ service: 'dashboard-api', level: 'silent' }),
    clock: () => 0,
  });
  const open = () => {
    const seen = { events: [] as string[], isEnded: false };
    const write = (text = '') => {
      seen.events.push(...(/^(id: \d+|event: \w+)/.exec(text)?.slice(1) ?? []));
      return true;
    };
    const end = (text?: string) => {
      write(text);
      seen.isEnded = true;
    };
    const response = { destroyed: false, writableLength: 0, on: () => response, writeHead: () => response, write, end };
    streams.open(SESSION, RUN, response as unknown as StreamResponse, 'GET');
    return seen;
  };
  return { streams, state, open };
}

describe('streams of a run', () => {
  it('contain the run as it is, also for a later stream, then each change, and end after the last one', async () => {
    const { streams, state, open } = aStage();
    const first = open();
    await streams.look();
    const second = open();
    await streams.look();
    state.row = { status: 'ENDED', revision: 4 };
    await streams.look();

    for (const { events, isEnded } of [first, second]) {
      expect(events).toEqual(['id: 3', 'id: 4', 'event: end']);
      expect(isEnded).toBe(true);
    }
  });

  it('contain the last change if their sessions could not be checked in the round that read it', async () => {
    const { streams, state, open } = aStage();
    const both = [open(), open()];
    await streams.look();
    state.row = { status: 'ENDED', revision: 4 };
    state.isAway = true;
    await streams.look();
    state.isAway = false;
    await streams.look();

    for (const { events } of both) expect(events).toEqual(['id: 3', 'id: 4', 'event: end']);
  });

  it('end when the session has ended, without saying that the run has ended', async () => {
    const { streams, state, open } = aStage();
    const stream = open();
    await streams.look();
    state.isOver = true;
    state.row = { status: 'ENDED', revision: 4 };
    await streams.look();

    expect(stream).toEqual({ events: ['id: 3'], isEnded: true });
  });

  it('end when the run was deleted', async () => {
    const { streams, state, open } = aStage();
    const stream = open();
    await streams.look();
    state.row = undefined;
    await streams.look();

    expect(stream).toEqual({ events: ['id: 3', 'event: end'], isEnded: true });
  });

  it('end when the process stops, without saying that the run has ended', async () => {
    const { streams, open } = aStage();
    const stream = open();
    await streams.look();
    const stop = new AbortController();
    stop.abort();
    await streams.worker.run(stop.signal);

    expect(stream).toEqual({ events: ['id: 3'], isEnded: true });
  });
});
