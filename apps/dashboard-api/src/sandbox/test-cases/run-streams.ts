import type { Queryable } from '@pay/persistence';
import { openEventStreams, type EventStreams, type EventStreamsDeps } from '../../live-updates/event-streams';
import { findRun, testRunOf, type TestRunRow } from './test-run-repository';

const EVERY_MS = 1_000;

interface WatchedRun {
  readonly merchantId: string;
  readonly id: string;
}

export type RunStreams = EventStreams<WatchedRun>;

/** Sends a run after each change until it has ended. */
export function openRunStreams({ db, ...deps }: EventStreamsDeps & { readonly db: Queryable }): RunStreams {
  const kind = {
    name: 'run-streams' as const,
    everyMs: EVERY_MS,
    keyOf: ({ merchantId, id }: WatchedRun) => `${merchantId} ${id}`,
    /** Null if the run was deleted meanwhile. */
    read: async ({ merchantId, id }: WatchedRun) => (await findRun(db, merchantId, id)) ?? null,
    eventsOf: (run: TestRunRow | null, before: TestRunRow | null | undefined) =>
      run === null || run.revision === before?.revision
        ? ''
        : `id: ${run.revision}\nevent: run\ndata: ${JSON.stringify(testRunOf(run))}\n\n`,
    isLast: (run: TestRunRow | null) => run === null || run.status === 'ENDED',
  };
  return openEventStreams(kind, deps);
}
