import { StopRequested, StopSignal } from './stop-signal';

describe('work that a stop interrupts', () => {
  it('rejects with the reason of the first request, so that the caller can end what the work uses', async () => {
    const signal = new StopSignal();
    const stopped = signal.orStop(new Promise<never>(() => undefined));

    signal.request('SIGINT');
    signal.request('SIGTERM');

    await expect(stopped).rejects.toThrow(new StopRequested('SIGINT'));
    await expect(signal.orStop(new Promise<never>(() => undefined))).rejects.toThrow('Stopped (SIGINT)');
  });

  it('returns its result without a request', async () => {
    expect(await new StopSignal().orStop(Promise.resolve(7))).toBe(7);
  });
});
