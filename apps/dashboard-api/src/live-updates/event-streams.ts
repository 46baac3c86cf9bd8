import type { ServerResponse } from 'node:http';
import { BusinessError } from '@pay/contracts';
import type { Session } from '@pay/http';
import { every, type Logger, type TaskName, type Worker } from '@pay/runtime';
import type { CurrentSession } from '../sign-in/current-session';

const KEEP_ALIVE_MS = 15_000;
/** Shorter than the lifetime of an access token, so that a reconnecting client sends a valid one. */
const LONGEST_MS = 10 * 60_000;
const MOST_STREAMS = 500;
const MOST_OF_USER = 20;
const MOST_OF_MERCHANT = 100;
/** Limits the memory that a client can use by not reading. Such a client is disconnected. */
const MOST_UNREAD_BYTES = 64 * 1_024;

const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // Disables buffering in proxies, which would delay events.
  'X-Accel-Buffering': 'no',
};
const END = 'event: end\ndata: {}\n\n';

export type StreamResponse = Pick<
  ServerResponse,
  'write' | 'writeHead' | 'end' | 'on' | 'destroyed' | 'writableLength'
>;

/** Streams of the same subject share its state, which is read once per round. */
export interface StreamKind<Subject, State> {
  readonly name: TaskName;
  readonly everyMs: number;
  readonly keyOf: (subject: Subject) => string;
  readonly read: (subject: Subject, before: State | undefined) => Promise<State>;
  /** Empty without a change. `before` is undefined for the first events of a stream. */
  readonly eventsOf: (state: State, before: State | undefined) => string;
  /** If given, `end` is sent after the last state only; otherwise whenever the server closes a stream. */
  readonly isLast?: (state: State) => boolean;
}

export interface EventStreamsDeps {
  readonly currentSession: CurrentSession;
  readonly log: Logger;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

interface Stream<State> {
  readonly session: Session;
  readonly response: StreamResponse;
  readonly endAt: number;
  aliveAt: number;
  /** The state that its client knows. */
  sent: State | undefined;
}

interface Topic<Subject, State> {
  readonly subject: Subject;
  readonly streams: Set<Stream<State>>;
  state: State | undefined;
  looking: Promise<void> | undefined;
}

export interface EventStreams<Subject> {
  open(session: Session, subject: Subject, response: StreamResponse, method: string): void;
  look(): Promise<void>;
  readonly worker: Worker;
}

/** Reads each subject with open streams once per round, regardless of the number of streams. */
export function openEventStreams<Subject, State>(
  kind: StreamKind<Subject, State>,
  { currentSession, log, clock }: EventStreamsDeps,
): EventStreams<Subject> {
  const topics = new Map<string, Topic<Subject, State>>();
  const streams = () => [...topics.values()].flatMap((topic) => [...topic.streams]);
  const earlyEnd = kind.isLast === undefined ? END : '';
  let isStopped = false;

  function leave(key: string, stream: Stream<State>): void {
    const topic = topics.get(key);
    topic?.streams.delete(stream);
    if (topic?.streams.size === 0) topics.delete(key);
  }

  function open(session: Session, subject: Subject, response: StreamResponse, method: string): void {
    // A response that is closed already emits no further `close`, and its stream would keep its place.
    if (response.destroyed) return;
    // A request can be checked until after the worker has ended, which then cannot end its stream.
    if (method === 'HEAD' || isStopped) {
      response.writeHead(200, STREAM_HEADERS).end(earlyEnd);
      return;
    }
    const all = streams();
    const same = (key: 'userId' | 'merchantId') => all.filter((stream) => stream.session[key] === session[key]).length;
    if (all.length >= MOST_STREAMS || same('userId') >= MOST_OF_USER || same('merchantId') >= MOST_OF_MERCHANT)
      throw new BusinessError('RATE_LIMITED', undefined, 30);
    const key = kind.keyOf(subject);
    const topic = topics.get(key) ?? { subject, streams: new Set(), state: undefined, looking: undefined };
    topics.set(key, topic);
    const stream = { session, response, endAt: clock() + LONGEST_MS, aliveAt: clock(), sent: undefined };
    topic.streams.add(stream);
    response.on('close', () => leave(key, stream));
    response.on('error', () => undefined);
    response.writeHead(200, STREAM_HEADERS);
    response.write(': open\n\n');
    if (topic.state === undefined) void lookAt(key, topic);
    else send(stream, topic.state);
  }

  async function isOver({ session, endAt, response }: Stream<State>): Promise<boolean> {
    if (clock() >= endAt || response.writableLength > MOST_UNREAD_BYTES) return true;
    return (await currentSession(session))?.role !== session.role;
  }

  async function readAndSend(key: string, topic: Topic<Subject, State>): Promise<void> {
    const state = await kind.read(topic.subject, topic.state);
    topic.state = state;
    const isLast = kind.isLast?.(state) ?? false;
    // Streams that are opened from here on begin with this state.
    for (const stream of [...topic.streams]) {
      const isCut = await isOver(stream);
      if (!isCut) send(stream, state);
      if (!isCut && !isLast) continue;
      stream.response.end(isCut ? earlyEnd : END);
      leave(key, stream);
    }
  }

  function send(stream: Stream<State>, state: State): void {
    const events = kind.eventsOf(state, stream.sent);
    stream.sent = state;
    const text = events === '' && clock() - stream.aliveAt >= KEEP_ALIVE_MS ? ': alive\n\n' : events;
    if (text === '' || stream.response.destroyed) return;
    stream.aliveAt = clock();
    stream.response.write(text);
  }

  /** A second call during a look waits for it. */
  function lookAt(key: string, topic: Topic<Subject, State>): Promise<void> {
    topic.looking ??= readAndSend(key, topic)
      // If the database is temporarily unavailable, streams stay open and the next round sends the changes.
      .catch((err: unknown) => log.warn({ err }, 'event_streams.read_failed'))
      .finally(() => (topic.looking = undefined));
    return topic.looking;
  }

  async function look(): Promise<void> {
    await Promise.all([...topics].map(([key, topic]) => lookAt(key, topic)));
  }

  const looking = every(kind.name, kind.everyMs, look, { log });
  return {
    open,
    look,
    worker: {
      ...looking,
      async run(signal) {
        // An open stream would delay the end of the process.
        await looking.run(signal);
        isStopped = true;
        for (const { response } of streams()) response.end(earlyEnd);
        topics.clear();
      },
    },
  };
}
