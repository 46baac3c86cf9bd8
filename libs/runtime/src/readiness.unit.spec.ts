import { createLogger } from './logger';
import { readiness } from './readiness';

const lines: string[] = [];
const log = createLogger({ service: 't', level: 'info', destination: { write: (line) => void lines.push(line) } });
const worker = (name: string, ready: () => boolean) => ({ name, run: async () => undefined, isReady: ready });

describe('readiness', () => {
  beforeEach(() => {
    lines.length = 0;
  });

  it('names the checks that fail and the workers that are not ready', async () => {
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

  it('logs changes, not answers', async () => {
    let up = true;
    const state = readiness({ log, workers: [worker('http', () => up)], checks: {} });

    await state.failing();
    await state.failing();
    up = false;
    await state.failing();
    await state.failing();

    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['service.ready', 'service.unready']);
  });

  it('asks once for questions that come together', async () => {
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

  it('gives up on a check that does not answer', async () => {
    jest.useFakeTimers();
    const state = readiness({ log, workers: [], checks: { database: () => new Promise(() => undefined) } });

    const failing = state.failing();
    await jest.advanceTimersByTimeAsync(2_000);
    jest.useRealTimers();

    expect(await failing).toEqual(['database']);
  });

  it('is off for good once it was turned off, also for a question that was already asked', async () => {
    const state = readiness({ log, workers: [], checks: {} });
    const before = state.failing();
    state.turnOff();

    expect(await before).toEqual(['stopping']);
    expect(await state.failing()).toEqual(['stopping']);
  });
});
