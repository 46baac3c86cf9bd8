import { EventEmitter } from 'node:events';
import type { Tenant } from '@pay/contracts';
import type { Session } from '@pay/http';
import { createLogger, type Logger } from '@pay/runtime';
import { openChangeStreams } from './change-streams';
import type { StreamResponse } from './event-streams';
import type { Marks } from './read-marks';

const SHOP: Tenant = { merchantId: 'm1', environment: 'SANDBOX' };
const OTHER: Tenant = { merchantId: 'm2', environment: 'SANDBOX' };

class FakeStreamResponse extends EventEmitter {
  readonly sent: string[] = [];
  isEnded = false;
  destroyed = false;
  writableLength = 0;
  status = 0;
  writeHead(status: number): this {
    this.status = status;
    return this;
  }
  write(text: string): boolean {
    this.sent.push(text);
    return true;
  }
  end(text?: string): this {
    if (text !== undefined) this.sent.push(text);
    this.isEnded = true;
    return this;
  }
  get events(): string[] {
    return this.sent.flatMap((text) => /^event: (\w+)\ndata: (.*)\n\n$/.exec(text)?.slice(1).join(' ') ?? []);
  }
}

function aStage(log: Logger = createLogger({ service: 'dashboard-api', level: 'silent' })) {
  const reads: string[] = [];
  const state = {
    marks: { payments: 'a', exceptions: 'a', devices: 'a' } as Marks,
    session: undefined as Partial<Session> | undefined,
    sessionFailure: undefined as Error | undefined,
    failure: undefined as Error | undefined,
    now: 0,
  };
  const streams = openChangeStreams({
    readMarks: ({ merchantId }) => {
      reads.push(merchantId);
      return state.failure === undefined ? Promise.resolve(state.marks) : Promise.reject(state.failure);
    },
    currentSession: (session) =>
      state.sessionFailure === undefined
        ? Promise.resolve(state.session === undefined ? session : { ...session, ...state.session })
        : Promise.reject(state.sessionFailure),
    log,
    clock: () => state.now,
  });
  let sessions = 0;
  const open = (tenant = SHOP, userId = 'u1', response = new FakeStreamResponse()) => {
    const session: Session = {
      sessionId: `s${(sessions += 1)}`,
      userId,
      merchantId: tenant.merchantId,
      role: 'VIEWER',
    };
    streams.open(session, tenant, response as unknown as StreamResponse, 'GET');
    return response;
  };
  return { streams, state, reads, open };
}

describe('streams of changes', () => {
  it('contain only the topics that have changed since the round before', async () => {
    const { streams, state, open } = aStage();
    const response = open();
    await streams.look();
    state.marks = { payments: 'b', exceptions: 'a', devices: 'b' };
    await streams.look();
    await streams.look();

    expect(response.events).toEqual(['changed {"topics":["payments","devices"]}']);
    expect(response.status).toBe(200);
  });

  it('read a tenant at the first stream and once a round, however many are open, and not after the last', async () => {
    const { streams, reads, open } = aStage();
    const responses = Array.from({ length: 10 }, () => open());
    await streams.look();
    open(OTHER).emit('close');
    await streams.look();

    expect(reads).toEqual(['m1', 'm2', 'm1']);
    responses.forEach((response) => response.emit('close'));
    await streams.look();
    expect(reads).toHaveLength(3);
  });

  it('do not take silence of a service for a change, and notice what changed meanwhile', async () => {
    const { streams, state, open } = aStage();
    const response = open();
    await streams.look();
    state.marks = { devices: 'a' };
    await streams.look();
    state.marks = { payments: 'b', exceptions: 'a', devices: 'a' };
    await streams.look();

    expect(response.events).toEqual(['changed {"topics":["payments"]}']);
  });

  it('stay open when a round fails, and send the changes in the next one', async () => {
    const warn = jest.fn();
    const { streams, state, open } = aStage({ warn } as never);
    const response = open();
    await streams.look();
    state.marks = { payments: 'b', exceptions: 'a', devices: 'a' };
    state.failure = new Error('no database');
    await streams.look();
    expect(response.events).toEqual([]);
    state.failure = undefined;
    await streams.look();

    expect(warn.mock.calls).toEqual([[{ err: new Error('no database') }, 'event_streams.read_failed']]);
    expect(response.isEnded).toBe(false);
    expect(response.events).toEqual(['changed {"topics":["payments"]}']);
  });

  it('contain the changes once if sessions could not be checked in the round that read them', async () => {
    const { streams, state, open } = aStage();
    const responses = [open(), open()];
    await streams.look();
    state.marks = { payments: 'b', exceptions: 'a', devices: 'a' };
    state.sessionFailure = new Error('no database');
    await streams.look();
    state.sessionFailure = undefined;
    await streams.look();
    await streams.look();

    for (const { events } of responses) expect(events).toEqual(['changed {"topics":["payments"]}']);
  });

  it.each([
    [
      'the session has ended',
      (state: { session: Partial<Session> | undefined }) => (state.session = { role: undefined as never }),
    ],
    ['the role has changed', (state: { session: Partial<Session> | undefined }) => (state.session = { role: 'OWNER' })],
    ['ten minutes are over', (state: { now: number }) => (state.now = 10 * 60_000)],
  ] as const)('end when %s', async (_, change) => {
    const { streams, state, open, reads } = aStage();
    const response = open();
    await streams.look();
    expect(response.isEnded).toBe(false);
    change(state);
    await streams.look();

    expect(response.events).toEqual(['end {}']);
    expect(response.isEnded).toBe(true);
    await streams.look();
    expect(reads).toHaveLength(2);
  });

  it('end for a client that reads nothing', async () => {
    const { streams, open } = aStage();
    const response = open();
    response.writableLength = 1_000_000;
    await streams.look();

    expect(response.isEnded).toBe(true);
  });

  it('send a comment when nothing happens, so that proxies keep the connection', async () => {
    const { streams, state, open } = aStage();
    const response = open();
    await streams.look();
    state.now = 15_000;
    await streams.look();

    expect(response.sent.at(-1)).toBe(': alive\n\n');
  });

  it('are limited per user, in all sessions and at all merchants together', () => {
    const { open } = aStage();
    for (let index = 0; index < 20; index += 1) open(index % 2 === 0 ? SHOP : OTHER);

    expect(() => open()).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
    expect(open(SHOP, 'u2').status).toBe(200);
  });

  it('do not open for a connection that is closed already', async () => {
    const { streams, reads, open } = aStage();
    const closed = new FakeStreamResponse();
    closed.destroyed = true;
    open(SHOP, 'u1', closed);
    await streams.look();

    expect(closed.sent).toEqual([]);
    expect(reads).toEqual([]);
  });

  it('are limited per merchant, in both environments together', () => {
    const { open } = aStage();
    for (let index = 0; index < 100; index += 1)
      open({ ...SHOP, environment: index % 2 === 0 ? 'LIVE' : 'SANDBOX' }, `u${index}`);

    expect(() => open(SHOP, 'u100')).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
    expect(open(OTHER, 'u100').status).toBe(200);
  });

  it('are limited per process', () => {
    const { open } = aStage();
    for (let index = 0; index < 500; index += 1) open({ ...SHOP, merchantId: `m${index}` }, `u${index}`);

    expect(() => open({ ...SHOP, merchantId: 'm500' }, 'u500')).toThrow(
      expect.objectContaining({ code: 'RATE_LIMITED' }),
    );
  });

  it('end with the process', async () => {
    const { streams, open } = aStage();
    const response = open();
    const stop = new AbortController();
    stop.abort();
    await streams.worker.run(stop.signal);

    expect(response.events).toEqual(['end {}']);
  });

  it('end immediately if the process stopped while their requests were checked', async () => {
    const { streams, open } = aStage();
    const stop = new AbortController();
    stop.abort();
    await streams.worker.run(stop.signal);
    const response = open();

    expect(response).toMatchObject({ status: 200, events: ['end {}'], isEnded: true });
  });
});
