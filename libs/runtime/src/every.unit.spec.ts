import { createLogger } from './logger';
import { every, showTasks } from './every';
import { createMetrics } from './metrics';

const lines: string[] = [];
const log = createLogger({ service: 't', level: 'info', destination: { write: (line) => void lines.push(line) } });

describe('every', () => {
  beforeEach(() => {
    lines.length = 0;
  });

  it('runs immediately and again after each end, never concurrently', async () => {
    const stop = new AbortController();
    let running = 0;
    let most = 0;
    let runs = 0;

    await every(
      'sweep-old-rows',
      1,
      async () => {
        most = Math.max(most, ++running);
        await new Promise(setImmediate);
        running--;
        if (++runs === 5) stop.abort();
      },
      { log },
    ).run(stop.signal);

    expect({ runs, most }).toEqual({ runs: 5, most: 1 });
  });

  it('logs a failed run and continues', async () => {
    const stop = new AbortController();
    let runs = 0;

    await every(
      'sweep-old-rows',
      1,
      async () => {
        if (++runs === 3) stop.abort();
        else throw new Error('database away');
      },
      { log },
    ).run(stop.signal);

    expect(runs).toBe(3);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 'error', msg: 'task.failed', task: 'sweep-old-rows' }),
      expect.objectContaining({ level: 'error', msg: 'task.failed', task: 'sweep-old-rows' }),
    ]);
  });

  it('shows its interval and its last success: not failed runs, nor runs that leave the work to another replica', async () => {
    jest.spyOn(Date, 'now').mockImplementation(() => 1_000 * seconds);
    let seconds = 100;
    const metrics = createMetrics('t');
    showTasks(metrics);
    const valueOf = async (name: string) => (await metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value;
    const shown: (number | undefined)[] = [];
    const stop = new AbortController();

    await every(
      'sweep-old-rows',
      1,
      async () => {
        shown.push(await valueOf('task_last_success_timestamp_seconds'));
        seconds += 10;
        if (shown.length === 1) throw new Error('database away');
        if (shown.length === 2) return 'left_to_another_replica';
        if (shown.length === 4) stop.abort();
        return 'done';
      },
      { log },
    ).run(stop.signal);
    jest.restoreAllMocks();

    expect(shown).toEqual([100, 100, 100, 130]);
    expect(await valueOf('task_last_success_timestamp_seconds')).toBe(140);
    expect(await valueOf('task_interval_seconds')).toBe(0.001);
  });

  it('shows whether its work is that of the service or of the process, and the severity of its failure', async () => {
    const metrics = createMetrics('t');
    showTasks(metrics);
    const stop = new AbortController();
    stop.abort();
    await every('expire-intents', 1, async () => 'left_to_another_replica', { log }).run(stop.signal);
    await every('device-repeats', 1, async () => undefined, { log }).run(stop.signal);
    // @ts-expect-error No other replica can do work of the process.
    every('device-repeats', 1, async () => 'left_to_another_replica', { log });

    for (const name of ['task_last_success_timestamp_seconds', 'task_interval_seconds']) {
      const shown = (await metrics.registry.getSingleMetric(name)?.get())?.values.map(({ labels }) => labels);
      expect(shown).toContainEqual({ task: 'expire-intents', scope: 'service', severity: 'page' });
      expect(shown).toContainEqual({ task: 'device-repeats', scope: 'process', severity: 'ticket' });
    }
  });

  it('waits for the run in progress when stopped, passes it the signal, and does not log its abort as a failure', async () => {
    const stop = new AbortController();
    let finished = false;

    const worker = every(
      'sweep-old-rows',
      1,
      async (signal) => {
        stop.abort();
        await new Promise(setImmediate);
        finished = true;
        signal.throwIfAborted();
      },
      { log },
    ).run(stop.signal);
    await worker;

    expect(finished).toBe(true);
    expect(lines).toEqual([]);
  });

  it('continues after the stop until it is done', async () => {
    const stop = new AbortController();
    const runs: boolean[] = [];

    await every(
      'sweep-old-rows',
      1,
      async (signal) => {
        runs.push(signal.aborted);
        stop.abort();
      },
      { log, isDone: () => runs.length === 3 },
    ).run(stop.signal);

    expect(runs).toEqual([false, true, true]);
  });

  it('ends immediately when stopped between two runs', async () => {
    const stop = new AbortController();
    const worker = every('sweep-old-rows', 3_600_000, async () => undefined, { log }).run(stop.signal);
    await new Promise(setImmediate);

    stop.abort();

    await expect(worker).resolves.toBeUndefined();
  });
});
