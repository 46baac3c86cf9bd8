import { createLogger } from './logger';
import { readiness } from './readiness';

const lines: string[] = [];
const log = createLogger({ service: 't', level: 'info', destination: { write: (line) => void lines.push(line) } });
const worker = (name: string, ready: () => boolean) => ({ name, run: async () => undefined, isReady: ready });

describe('readiness', () => {
  beforeEach(() => {
    lines.length = 0;
  });

  it('names failing checks and workers that are not ready', async () => {
    const state = readiness({
      log,
      workers: [
        worker('relay', () => false),
        worker('http', () => true),
        { name: 'timer', run: async () => undefined },
      ],
      checks: {
        database: () => Promise.reject(new Error('refused')),
        broker: () => {
          throw new Error('closed');
        },
        disk: () => undefined,
      },
    });

    expect(await state.failing()).toEqual(['database', 'broker', 'relay']);
  });

  it('logs changes, not every result', async () => {
    let up = true;
    const state = readiness({ log, workers: [worker('http', () => up)], checks: {} });

    await state.failing();
    await state.failing();
    up = false;
    await state.failing();
    await state.failing();

    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['service.ready', 'service.unready']);
  });

  it('runs its checks once for concurrent requests', async () => {
    let asked = 0;
    const state = readiness({
      log,
      workers: [],
      checks: {
        database: () => {
          asked++;
        },
      },
    });

    await Promise.all([state.failing(), state.failing(), state.failing()]);

    expect(asked).toBe(1);
  });

  it('fails a check that does not respond in time', async () => {
    jest.useFakeTimers();
    const state = readiness({ log, workers: [], checks: { database: () => new Promise(() => undefined) } });

    const failing = state.failing();
    await jest.advanceTimersByTimeAsync(2_000);
    jest.useRealTimers();

    expect(await failing).toEqual(['database']);
  });

  it('stays off after it is turned off, also for a request in progress', async () => {
    const state = readiness({ log, workers: [], checks: {} });
    const before = state.failing();
    state.turnOff();

    expect(await before).toEqual(['stopping']);
    expect(await state.failing()).toEqual(['stopping']);
  });
});
