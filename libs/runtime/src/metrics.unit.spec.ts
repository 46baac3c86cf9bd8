import { createMetrics } from './metrics';

describe('createMetrics', () => {
  it("writes every line with the service, and brings Node's own figures", async () => {
    const metrics = createMetrics('reconciler');
    metrics.counter({ name: 'matches_total', help: 'Decisions', labels: ['status'] }).inc({ status: 'MATCHED' });

    const text = await metrics.registry.metrics();

    expect(text).toContain('matches_total{status="MATCHED",service="reconciler"} 1');
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
    expect(text).toContain('process_resident_memory_bytes');
  });

  it('gives the metric that is there to whoever asks for its name again', () => {
    const metrics = createMetrics('a');
    const first = metrics.histogram({ name: 'seconds', help: 'Time', buckets: [1, 2] });

    expect(metrics.histogram({ name: 'seconds', help: 'Time' })).toBe(first);
    expect(() => metrics.counter({ name: 'seconds', help: 'Time' })).toThrow('another kind');
  });

  it('asks a collecting gauge at every scrape', async () => {
    const metrics = createMetrics('a');
    let waiting = 0;
    metrics.gauge({ name: 'waiting', help: 'Rows', collect: (gauge) => gauge.set(++waiting) });

    await metrics.registry.metrics();

    expect(await metrics.registry.metrics()).toContain('waiting{service="a"} 2');
  });

  it('keeps registries apart', async () => {
    createMetrics('a').counter({ name: 'only_here_total', help: 'x' }).inc();

    expect(await createMetrics('b').registry.metrics()).not.toContain('only_here_total');
  });
});
