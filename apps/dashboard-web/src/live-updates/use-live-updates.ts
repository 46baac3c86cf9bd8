import type { ChangeTopic, Environment } from '@pay/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Session } from '../session/session';
import { useSession } from '../session/session-context';
import { ChangedData, TOPICS } from './changed-data';
import { readEvents } from './read-events';

/**
 * However busy a merchant is, a page is loaded again no more often than this. Statistics cost the server more than
 * lists.
 */
const LISTS_MS = 4_000;
const STATISTICS_MS = 15_000;
const [SOONEST_RETRY_MS, LATEST_RETRY_MS] = [2_000, 60_000];

/** Reloads displayed data after changes. A tab in the background has no stream and reloads when it becomes visible. */
export function useLiveUpdates(environment: Environment): void {
  const session = useSession();
  const queries = useQueryClient();
  useEffect(() => {
    const changed = new ChangedData(queries);
    const announce = (topics: readonly ChangeTopic[]) => changed.announce(topics);
    const isVisible = () => document.visibilityState === 'visible';
    const timers = [
      setInterval(() => isVisible() && changed.reload(changed.lists), LISTS_MS),
      setInterval(() => isVisible() && changed.reload(changed.statistics), STATISTICS_MS),
    ];

    let stop: (() => void) | undefined;
    const follow = () => {
      stop?.();
      stop = undefined;
      if (isVisible()) stop = watch(session, environment, announce);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      timers.forEach(clearInterval);
      stop?.();
    };
  }, [session, queries, environment]);
}

/**
 * Keeps a stream open until it is stopped. What happened between two streams is unknown: everything counts as changed.
 */
function watch(
  session: Session,
  environment: Environment,
  announce: (topics: readonly ChangeTopic[]) => void,
): () => void {
  const stopped = new AbortController();
  const { signal } = stopped;
  const run = async () => {
    let failures = 0;
    while (!signal.aborted) {
      try {
        const { body } = await session.fetch('watchChanges', { query: { environment } }, signal);
        announce(TOPICS);
        failures = 0;
        if (body !== null) await readChanges(body, announce);
      } catch {
        // The pages show their own errors, and reload once a minute.
        failures += 1;
      }
      await pause(Math.min(SOONEST_RETRY_MS * 2 ** failures, LATEST_RETRY_MS) * (1 - Math.random() / 2), signal);
    }
  };
  void run();
  return () => stopped.abort();
}

async function readChanges(
  body: ReadableStream<Uint8Array>,
  announce: (topics: readonly ChangeTopic[]) => void,
): Promise<void> {
  for await (const { event, data } of readEvents(body)) {
    if (event === 'end') return;
    if (event !== 'changed') continue;
    const { topics } = JSON.parse(data) as { readonly topics: readonly string[] };
    announce(TOPICS.filter((topic) => topics.includes(topic)));
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });
}
