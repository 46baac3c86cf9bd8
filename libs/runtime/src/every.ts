import { setTimeout as delay } from 'node:timers/promises';
import { TASKS, type SharedTaskName, type TaskName } from './catalogue/tasks';
import type { Logger } from './logger';
import type { Metrics } from './metrics';
import type { Worker } from './worker';

/** Random part of the interval, so that replicas do not run at the same time. */
const JITTER = 0.1;

/** Of a task that replicas do in turn. Work left to another replica is no success, because that replica may fail. */
export type TaskResult = 'done' | 'left_to_another_replica';

interface TaskState {
  readonly intervalMs: number;
  succeededAt: number;
}

/** Of the process, so that every task is shown, whichever worker runs it. */
const states = new Map<TaskName, TaskState>();

/** Shows the tasks of this process, also those that start later. */
export function showTasks(metrics: Metrics): void {
  metrics.gauge('task_last_success_timestamp_seconds', (gauge) => {
    for (const [task, { succeededAt }] of states) gauge.set({ task, ...TASKS[task] }, succeededAt / 1_000);
  });
  metrics.gauge('task_interval_seconds', (gauge) => {
    for (const [task, { intervalMs }] of states) gauge.set({ task, ...TASKS[task] }, intervalMs / 1_000);
  });
}

/**
 * A worker that runs a task immediately and again `intervalMs` after each end; runs never overlap. A failed run is
 * logged as `task.failed`, and the stop waits for a run in progress, and for `isDone` if it is given.
 */
export function every<Name extends TaskName>(
  name: Name,
  intervalMs: number,
  task: (signal: AbortSignal) => Promise<void> | (Name extends SharedTaskName ? Promise<TaskResult> : never),
  { log, isDone = () => true }: { readonly log: Logger; readonly isDone?: () => boolean },
): Worker {
  return {
    name,
    async run(signal) {
      const stopped = () => signal.aborted && isDone();
      // A task that never succeeds is overdue from the start of its process.
      const state: TaskState = { intervalMs, succeededAt: Date.now() };
      states.set(name, state);
      while (!stopped()) {
        try {
          if ((await task(signal)) !== 'left_to_another_replica') state.succeededAt = Date.now();
        } catch (error) {
          if (!signal.aborted) log.error({ task: name, err: error }, 'task.failed');
        }
        if (stopped()) return;
        const spread = 1 + JITTER * (2 * Math.random() - 1);
        await delay(intervalMs * spread, undefined, signal.aborted ? {} : { signal }).catch(() => undefined);
      }
    },
  };
}
