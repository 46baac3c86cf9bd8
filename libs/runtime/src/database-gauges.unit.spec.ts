import { databaseGauges } from './database-gauges';
import { createLogger } from './logger';
import { createMetrics } from './metrics';

function underTest() {
  const lines: string[] = [];
  const log = createLogger({ service: 't', level: 'info', destination: { write: (line) => void lines.push(line) } });
  const metrics = createMetrics('t');
  const valuesOf = async (name: string) => {
    const metric = await metrics.registry.getSingleMetric(name)?.get();
    return metric?.values.map(({ labels, value }) => [...Object.values(labels), value]);
  };
  return {
    gauge: databaseGauges(metrics, log),
    events: () => lines.map((line) => JSON.parse(line)),
    valuesOf,
    readable: () => valuesOf('database_gauge_readable'),
  };
}

describe('a gauge that is read from the database', () => {
  it('shows the highest row of each label value, and 0 for those without a row', async () => {
    const { gauge, valuesOf, readable } = underTest();
    gauge('sms_undecided_oldest_seconds', async () => [
      { environment: 'LIVE', value: 3 },
      { environment: 'LIVE', value: 7 },
      { environment: 'LIVE', value: 5 },
    ]);

    expect(await valuesOf('sms_undecided_oldest_seconds')).toEqual([
      ['SANDBOX', 0],
      ['LIVE', 7],
    ]);
    expect(await readable()).toEqual([['sms_undecided_oldest_seconds', 1]]);
  });

  it('has the value of the last read again after the rows of a label value are gone', async () => {
    const { gauge, valuesOf } = underTest();
    const rows = [{ environment: 'LIVE', value: 3 }];
    gauge('sms_undecided_oldest_seconds', async () => rows);
    await valuesOf('sms_undecided_oldest_seconds');
    rows.length = 0;

    expect(await valuesOf('sms_undecided_oldest_seconds')).toEqual([
      ['SANDBOX', 0],
      ['LIVE', 0],
    ]);
  });

  it('has no value and is not readable while its read fails, and logs each change once', async () => {
    const { gauge, valuesOf, readable, events } = underTest();
    let isUp = true;
    gauge('webhook_deliveries_due', async () => {
      if (!isUp) throw new Error('database away');
      return 4;
    });
    expect(await valuesOf('webhook_deliveries_due')).toEqual([[4]]);

    isUp = false;
    expect(await valuesOf('webhook_deliveries_due')).toEqual([[Number.NaN]]);
    expect(await valuesOf('webhook_deliveries_due')).toEqual([[Number.NaN]]);
    expect(await readable()).toEqual([['webhook_deliveries_due', 0]]);

    isUp = true;
    expect(await valuesOf('webhook_deliveries_due')).toEqual([[4]]);
    expect(await readable()).toEqual([['webhook_deliveries_due', 1]]);
    expect(events().map(({ msg, gauge: name, err }) => [msg, name, err?.message])).toEqual([
      ['gauge.not_readable', 'webhook_deliveries_due', 'database away'],
      ['gauge.readable', 'webhook_deliveries_due', undefined],
    ]);
  });

  it('has no value two seconds after the start of a scrape, and is not read again while a read hangs', async () => {
    jest.useFakeTimers();
    const { gauge, valuesOf } = underTest();
    let reads = 0;
    gauge('webhook_deliveries_due', () => {
      reads += 1;
      return new Promise(() => undefined);
    });

    for (const scrape of [1, 2]) {
      const values = valuesOf('webhook_deliveries_due');
      await jest.advanceTimersByTimeAsync(2_000);
      expect([scrape, await values]).toEqual([scrape, [[Number.NaN]]]);
    }
    jest.useRealTimers();
    expect(reads).toBe(1);
  });
});
