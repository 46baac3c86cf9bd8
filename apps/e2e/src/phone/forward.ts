import { Pool } from 'undici';
import type { Answer, Forwarder } from './forwarders/forwarder';
import type { Delivery, InboxText } from './shop-day';

export interface ForwardOptions {
  readonly url: string;
  readonly forwarder: Forwarder;
  /** The device key, or the signing key of the app. */
  readonly secret: string;
  /** Factor relative to real time. Undefined: as fast as responses arrive. */
  readonly speed?: number | undefined;
  /** Concurrent requests. */
  readonly workers?: number;
  /** Milliseconds during which a text is retried. */
  readonly patienceMs?: number;
  /** Called after each delivery with the number of completed ones. */
  readonly onProgress?: (done: number) => void;
}

/** Keys are the ids of the phone's texts. */
export interface Forwarded {
  readonly requests: number;
  /** Requests without a successful response. */
  readonly failures: number;
  /** Texts that the app gave up or could not deliver in time. */
  readonly dropped: readonly InboxText[];
  /** Ids that the gateway has assigned to each text. More than one is a fault of the gateway. */
  readonly ids: ReadonlyMap<string, ReadonlySet<string>>;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
const REQUEST_TIMEOUT_MS = 10_000;

/** Sends deliveries in order, several at a time. Each is retried until it is accepted, like in apps with a queue. */
export async function forwardAll(deliveries: readonly Delivery[], options: ForwardOptions): Promise<Forwarded> {
  const { url, forwarder, secret, speed, workers = 8, patienceMs = 120_000, onProgress } = options;
  const target = new URL(url);
  const pool = new Pool(target.origin, { connections: workers, bodyTimeout: REQUEST_TIMEOUT_MS });
  const counts = { requests: 0, failures: 0, done: 0 };
  const dropped: InboxText[] = [];
  const ids = new Map<string, Set<string>>();
  const begun = Date.now();
  const dayBegins = deliveries[0]?.at.getTime() ?? 0;

  const ask = async (texts: readonly InboxText[]): Promise<Answer | undefined> => {
    counts.requests += 1;
    const { method, headers, body } = forwarder.request(texts, secret, new Date());
    const path = target.pathname + target.search;
    try {
      const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
      const response = await pool.request({ method, path, headers, body, signal });
      return { status: response.statusCode, body: await response.body.text() };
    } catch {
      return undefined;
    }
  };

  const send = async (texts: readonly InboxText[]): Promise<void> => {
    const deadline = Date.now() + patienceMs;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const answer = await ask(texts);
      const outcome = answer === undefined ? 'again' : forwarder.outcome(answer);
      if (answer !== undefined && outcome === 'done') {
        forwarder.idsIn?.(answer).forEach((id, index) => {
          const text = texts[index];
          if (text === undefined || id === undefined) return;
          ids.set(text.id, (ids.get(text.id) ?? new Set()).add(id));
        });
        return;
      }
      counts.failures += 1;
      if (outcome === 'dropped' || Date.now() > deadline) {
        dropped.push(...texts);
        return;
      }
      await after(pause);
    }
  };

  let next = 0;
  const worker = async (): Promise<void> => {
    for (let delivery = deliveries[next++]; delivery !== undefined; delivery = deliveries[next++]) {
      if (speed !== undefined) {
        const due = begun + (delivery.at.getTime() - dayBegins) / speed;
        await after(due - Date.now());
      }
      for (let from = 0; from < delivery.texts.length; from += forwarder.batch) {
        await send(delivery.texts.slice(from, from + forwarder.batch));
      }
      counts.done += 1;
      onProgress?.(counts.done);
    }
  };
  try {
    await Promise.all(Array.from({ length: workers }, worker));
  } finally {
    await pool.destroy();
  }
  return { requests: counts.requests, failures: counts.failures, dropped, ids };
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds)));
}
