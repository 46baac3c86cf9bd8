import type { ServerResponse } from 'node:http';
import { CHECKOUT_EVENTS, compareSequences, type CheckoutView, type SequencePair, BusinessError } from '@pay/contracts';
import { aborted, type Logger, type Worker } from '@pay/runtime';
import type { CheckoutMetrics } from '../checkouts/checkout-metrics';
import type { DescribedCheckout } from '../checkouts/describe-checkout';
import { eventFrame, HEARTBEAT, retryFrame } from '../domain/server-sent-event';

/** Milliseconds. */
export interface StreamTimings {
  readonly heartbeat: number;
  /**
   * Maximum duration of a stream, reduced by a random part of up to a quarter, so that clients of a stopped replica do
   * not reconnect at the same time.
   */
  readonly longest: number;
  /** Interval of reads without a notification, because notifications can be lost and an offline phone sends none. */
  readonly poll: number;
  readonly sweep: number;
}

/** Maximum unread bytes of a client. Beyond it the client is disconnected. */
const MOST_UNREAD_BYTES = 64 * 1024;
const RECONNECT_MS = { soonest: 1_000, spread: 2_000 };
const END = eventFrame({ event: CHECKOUT_EVENTS.end, data: '{}' });

export type Outlet = Pick<ServerResponse, 'write' | 'end' | 'destroy' | 'writableLength'>;

export interface OpenStreamsDeps {
  readonly look: (intentId: string) => Promise<DescribedCheckout>;
  readonly timings: StreamTimings;
  readonly log: Logger;
  readonly metrics: CheckoutMetrics;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly random: () => number;
}

interface Stream {
  outlet: Outlet | undefined;
  /** The version that the client has. */
  known: string | undefined;
  beatAt: number;
  closeAt: number;
}

interface Topic {
  readonly streams: Set<Stream>;
  newest: SequencePair;
  lookAt: number;
}

export interface OpenStreams {
  /**
   * Sends the current view unless the client has it, then each change; `begin` is called before the first byte. Returns
   * the function to call on disconnect, or undefined if the intent is settled and the client has that state.
   */
  open(intentId: string, known: string | undefined, begin: () => Outlet): Promise<(() => void) | undefined>;
  refresh(intentIds: readonly string[]): void;
  readonly worker: Worker;
}

/** One timer serves all streams of the process. */
export function openStreams(deps: OpenStreamsDeps): OpenStreams {
  const { timings, log, metrics, clock, random } = deps;
  const topics = new Map<string, Topic>();
  let closing = false;
  const stopped = () => closing;

  function enter(intentId: string, stream: Stream): Topic {
    const topic = topics.get(intentId) ?? { streams: new Set(), newest: { sequence: 0 }, lookAt: Infinity };
    topics.set(intentId, topic);
    topic.streams.add(stream);
    return topic;
  }

  function leave(intentId: string, stream: Stream): void {
    const topic = topics.get(intentId);
    if (!topic?.streams.delete(stream)) return;
    if (topic.streams.size === 0) topics.delete(intentId);
    if (stream.outlet) metrics.streams.dec();
  }

  /** One read serves all streams of the intent. */
  async function look(intentId: string, topic: Topic): Promise<DescribedCheckout> {
    topic.lookAt = clock() + timings.poll * (1 - random() / 2);
    const found = await deps.look(intentId);
    // Reads may finish in another order than they started. Only the latest state is sent.
    if (compareSequences(found, topic.newest) < 0) return found;
    topic.newest = { epoch: found.epoch, sequence: found.sequence };
    const frame = lazily(() => changeFrame(found));
    for (const stream of [...topic.streams]) sendView(intentId, stream, found, frame);
    return found;
  }

  function sendView(intentId: string, stream: Stream, { view, version }: DescribedCheckout, frame: () => Buffer): void {
    const { outlet } = stream;
    if (outlet === undefined) return;
    if (stream.known !== version) {
      stream.known = version;
      write(stream, outlet, frame());
      metrics.viewsSent.inc();
    }
    if (!isSettled(view)) return;
    outlet.end(END);
    leave(intentId, stream);
  }

  function write(stream: Stream, outlet: Outlet, data: string | Buffer): void {
    stream.beatAt = clock() + timings.heartbeat;
    if (outlet.writableLength > MOST_UNREAD_BYTES) outlet.destroy();
    else outlet.write(data);
  }

  function closeForReconnect(intentId: string, stream: Stream): void {
    stream.outlet?.end(retryFrame(RECONNECT_MS.soonest + random() * RECONNECT_MS.spread));
    leave(intentId, stream);
  }

  function refreshTopic(intentId: string, topic: Topic): void {
    // The next read follows soon.
    look(intentId, topic).catch((error: unknown) => log.warn({ err: error }, 'stream.read_failed'));
  }

  function sweep(): void {
    const now = clock();
    for (const [intentId, topic] of topics) {
      if (now >= topic.lookAt) refreshTopic(intentId, topic);
      for (const stream of [...topic.streams]) {
        if (stream.outlet === undefined) continue;
        if (now >= stream.closeAt) closeForReconnect(intentId, stream);
        else if (now >= stream.beatAt) write(stream, stream.outlet, HEARTBEAT);
      }
    }
  }

  return {
    async open(intentId, known, begin) {
      if (stopped()) throw new BusinessError('SERVICE_UNAVAILABLE', undefined, 1);
      const now = clock();
      const closeAt = now + timings.longest * (1 - random() / 4);
      const stream: Stream = { outlet: undefined, known, beatAt: now + timings.heartbeat, closeAt };
      // Registered before the read, so that a change in between is not missed.
      const topic = enter(intentId, stream);
      try {
        let found = await look(intentId, topic);
        if (compareSequences(found, topic.newest) < 0) found = await look(intentId, topic);
        if (isSettled(found.view) && known === found.version) {
          leave(intentId, stream);
          return undefined;
        }
        const outlet = begin();
        stream.outlet = outlet;
        metrics.streams.inc();
        outlet.write(retryFrame(RECONNECT_MS.soonest + random() * RECONNECT_MS.spread));
        sendView(intentId, stream, found, () => changeFrame(found));
        if (stopped()) closeForReconnect(intentId, stream);
        return () => leave(intentId, stream);
      } catch (error) {
        leave(intentId, stream);
        throw error;
      }
    },
    refresh(intentIds) {
      for (const intentId of intentIds) {
        const topic = topics.get(intentId);
        if (topic) refreshTopic(intentId, topic);
      }
    },
    worker: {
      name: 'event-streams',
      async run(signal) {
        const timer = setInterval(sweep, timings.sweep);
        await aborted(signal);
        clearInterval(timer);
        closing = true;
        for (const [intentId, { streams }] of topics)
          for (const stream of [...streams]) closeForReconnect(intentId, stream);
      },
    },
  };
}

/** A final status: no further change follows. */
function isSettled({ status }: CheckoutView): boolean {
  return status !== 'PENDING' && status !== 'REVIEW_REQUIRED';
}

function changeFrame({ view, version }: DescribedCheckout): Buffer {
  // The page already contains the logo, which is larger than the rest of the view.
  const { branding: _, ...change } = view;
  return Buffer.from(eventFrame({ event: CHECKOUT_EVENTS.view, id: version, data: JSON.stringify(change) }));
}

function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
