import type { ServerResponse } from 'node:http';
import { CHANGE_TOPICS, type ChangeTopic, type Tenant, BusinessError } from '@pay/contracts';
import type { Session } from '@pay/http';
import { every, type Logger, type Worker } from '@pay/runtime';
import type { CurrentSession } from '../sign-in/current-session';
import type { Marks } from './read-marks';

const LOOK_MS = 2_000;
const KEEP_ALIVE_MS = 15_000;
/** Shorter than the lifetime of an access token, so that a reconnecting client sends a valid one. */
const LONGEST_MS = 10 * 60_000;
const MOST_STREAMS = 500;
const MOST_OF_USER = 20;
const MOST_OF_MERCHANT = 100;
/** Limits the memory that a client can use by not reading. Such a client is disconnected. */
const MOST_UNREAD_BYTES = 16 * 1_024;

export const STREAM_HEADERS = {
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

export interface ChangeStreamsDeps {
  readonly readMarks: (tenant: Tenant) => Promise<Marks>;
  readonly currentSession: CurrentSession;
  readonly log: Logger;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

interface Stream {
  readonly session: Session;
  readonly response: StreamResponse;
  readonly endAt: number;
  aliveAt: number;
}

interface Topic {
  readonly tenant: Tenant;
  readonly streams: Set<Stream>;
  marks: Marks | undefined;
}

export interface ChangeStreams {
  open(session: Session, tenant: Tenant, response: StreamResponse): void;
  look(): Promise<void>;
  readonly worker: Worker;
}

/** Reads each tenant with open streams once every two seconds, regardless of the number of streams. */
export function openChangeStreams({ readMarks, currentSession, log, clock }: ChangeStreamsDeps): ChangeStreams {
  const topics = new Map<string, Topic>();
  const streams = () => [...topics.values()].flatMap((topic) => [...topic.streams]);

  function leave(key: string, stream: Stream): void {
    const topic = topics.get(key);
    topic?.streams.delete(stream);
    if (topic?.streams.size === 0) topics.delete(key);
  }

  function open(session: Session, tenant: Tenant, response: StreamResponse): void {
    // A response that is closed already emits no further `close`, and its stream would keep its place.
    if (response.destroyed) return;
    const all = streams();
    const same = (key: 'userId' | 'merchantId') => all.filter((stream) => stream.session[key] === session[key]).length;
    if (all.length >= MOST_STREAMS || same('userId') >= MOST_OF_USER || same('merchantId') >= MOST_OF_MERCHANT)
      throw new BusinessError('RATE_LIMITED', undefined, 30);
    const key = `${tenant.merchantId} ${tenant.environment}`;
    const topic = topics.get(key) ?? { tenant, streams: new Set(), marks: undefined };
    topics.set(key, topic);
    const stream = { session, response, endAt: clock() + LONGEST_MS, aliveAt: clock() };
    topic.streams.add(stream);
    response.on('close', () => leave(key, stream));
    response.on('error', () => undefined);
    response.writeHead(200, STREAM_HEADERS);
    response.write(': open\n\n');
  }

  async function isOver({ session, endAt, response }: Stream): Promise<boolean> {
    if (clock() >= endAt || response.writableLength > MOST_UNREAD_BYTES) return true;
    return (await currentSession(session))?.role !== session.role;
  }

  async function lookAt(key: string, topic: Topic): Promise<void> {
    const marks = await readMarks(topic.tenant);
    const before = topic.marks;
    topic.marks = { ...before, ...marks };
    const changed = before === undefined ? [] : CHANGE_TOPICS.filter((name) => hasChanged(name, before, marks));
    for (const stream of topic.streams) {
      if (await isOver(stream)) {
        stream.response.write(END);
        stream.response.end();
        leave(key, stream);
      } else if (changed.length > 0) send(stream, `event: changed\ndata: ${JSON.stringify({ topics: changed })}\n\n`);
      else if (clock() - stream.aliveAt >= KEEP_ALIVE_MS) send(stream, ': alive\n\n');
    }
  }

  function send(stream: Stream, text: string): void {
    stream.aliveAt = clock();
    if (!stream.response.destroyed) stream.response.write(text);
  }

  async function look(): Promise<void> {
    await Promise.all(
      [...topics].map(([key, topic]) =>
        // If the database is temporarily unavailable, streams stay open and the next round sends the changes.
        lookAt(key, topic).catch((err: unknown) => log.warn({ err }, 'change_streams.read_failed')),
      ),
    );
  }

  const looking = every('change streams', LOOK_MS, look, { log });
  return {
    open,
    look,
    worker: {
      ...looking,
      async run(signal) {
        // An open stream would delay the end of the process.
        await looking.run(signal);
        for (const { response } of streams()) response.end(END);
        topics.clear();
      },
    },
  };
}

/** If its owner did not respond in one of the rounds, a topic is compared when the owner responds again. */
function hasChanged(name: ChangeTopic, before: Marks, now: Marks): boolean {
  return now[name] !== undefined && before[name] !== undefined && now[name] !== before[name];
}
