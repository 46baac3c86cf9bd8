import { createMetrics } from './metrics';

describe('createMetrics', () => {
  it("adds the service to every line and includes Node's own metrics", async () => {
    const metrics = createMetrics('reconciler');
    metrics.counter('sms_decided_total').inc({ status: 'MATCHED' });

    const text = await metrics.registry.metrics();

    expect(text).toContain('sms_decided_total{status="MATCHED",service="reconciler"} 1');
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
    expect(text).toContain('process_resident_memory_bytes');
  });

  it('returns the same metric when its name is requested again', () => {
    const metrics = createMetrics('a');
    const first = metrics.histogram('messaging_batch_size');

    expect(metrics.histogram('messaging_batch_size')).toBe(first);
    expect(() => metrics.counter('messaging_batch_size' as never)).toThrow('another kind');
  });

  it('calls the collect function of a gauge at every scrape', async () => {
    const metrics = createMetrics('a');
    let waiting = 0;
    metrics.gauge('webhook_requests_in_flight', (gauge) => gauge.set(++waiting));

    await metrics.registry.metrics();

    expect(await metrics.registry.metrics()).toContain('webhook_requests_in_flight{service="a"} 2');
  });

  it('takes help, labels and buckets from the catalogue', async () => {
    const metrics = createMetrics('a');
    metrics.histogram('messaging_batch_size').observe({ queue: 'reconciler.events' }, 7);

    const text = await metrics.registry.metrics();

    expect(text).toContain('# HELP messaging_batch_size Messages handled in one transaction.');
    expect(text).toContain('messaging_batch_size_bucket{le="5",service="a",queue="reconciler.events"} 0');
    expect(text).toContain('messaging_batch_size_bucket{le="10",service="a",queue="reconciler.events"} 1');
  });

  it('keeps registries separate', async () => {
    createMetrics('a').counter('sms_balance_breaks_total').inc();

    expect(await createMetrics('b').registry.metrics()).not.toContain('sms_balance_breaks_total');
  });
});
