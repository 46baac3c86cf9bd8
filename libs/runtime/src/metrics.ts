import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { MetricEntry } from './catalogue/entries';
import { METRICS, type LabelOf, type NameOf } from './catalogue/metrics';

export type { Counter, Gauge, Histogram };

/**
 * Metrics of one process; help, labels and buckets come from the catalogue, and a second request for a name returns the
 * same metric. Label values must come from closed sets: never an id, a number or a text of a caller.
 */
export interface Metrics {
  readonly registry: Registry;
  counter<Name extends NameOf<'counter'>>(name: Name): Counter<LabelOf<Name>>;
  histogram<Name extends NameOf<'histogram'>>(name: Name): Histogram<LabelOf<Name>>;
  /** `collect` runs at every scrape and sets the gauge. */
  gauge<Name extends NameOf<'gauge'>>(
    name: Name,
    collect?: (gauge: Gauge<LabelOf<Name>>) => void | Promise<void>,
  ): Gauge<LabelOf<Name>>;
}

/** Adds `service` to every metric, and includes Node's own metrics. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });

  function existing<Kind>(kind: abstract new (...parameters: never[]) => Kind, name: string): Kind | undefined {
    const metric: unknown = registry.getSingleMetric(name);
    if (metric === undefined) return undefined;
    if (metric instanceof kind) return metric;
    throw new TypeError(`the metric ${name} exists and is of another kind`);
  }

  function describe<Name extends keyof typeof METRICS>(name: Name) {
    const { help, labels, buckets }: MetricEntry = METRICS[name];
    return {
      name,
      help,
      labelNames: Object.keys(labels) as LabelOf<Name>[],
      registers: [registry],
      ...(buckets && { buckets: [...buckets] }),
    };
  }

  return {
    registry,
    counter<Name extends NameOf<'counter'>>(name: Name) {
      return existing<Counter<LabelOf<Name>>>(Counter, name) ?? new Counter(describe(name));
    },
    histogram<Name extends NameOf<'histogram'>>(name: Name) {
      return existing<Histogram<LabelOf<Name>>>(Histogram, name) ?? new Histogram(describe(name));
    },
    gauge<Name extends NameOf<'gauge'>>(name: Name, collect?: (gauge: Gauge<LabelOf<Name>>) => void | Promise<void>) {
      return (
        existing<Gauge<LabelOf<Name>>>(Gauge, name) ??
        new Gauge({
          ...describe(name),
          ...(collect && {
            collect() {
              return collect(this);
            },
          }),
        })
      );
    },
  };
}
