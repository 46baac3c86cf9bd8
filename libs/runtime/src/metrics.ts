import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export type { Counter, Gauge, Histogram };

interface Named<Label extends string> {
  readonly name: string;
  readonly help: string;
  /** Names of labels. Their values must come from closed sets: never an id, a number or a text of a caller. */
  readonly labels?: readonly Label[];
}

/** One process's metrics. Asking again for a name gives the metric that is already there. */
export interface Metrics {
  readonly registry: Registry;
  counter<Label extends string = never>(options: Named<Label>): Counter<Label>;
  histogram<Label extends string = never>(
    options: Named<Label> & { readonly buckets?: readonly number[] },
  ): Histogram<Label>;
  /** `collect` runs at every scrape and sets the gauge. */
  gauge<Label extends string = never>(
    options: Named<Label> & { readonly collect?: (this: Gauge<Label>, gauge: Gauge<Label>) => void | Promise<void> },
  ): Gauge<Label>;
}

/** A registry whose every line carries `service`, with Node's own figures: memory, garbage collection, event-loop lag. */
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

  return {
    registry,
    counter<Label extends string = never>({ name, help, labels = [] }: Named<Label>) {
      return (
        existing<Counter<Label>>(Counter, name) ??
        new Counter({ name, help, labelNames: labels, registers: [registry] })
      );
    },
    histogram({ name, help, labels = [], buckets }) {
      const more = buckets ? { buckets: [...buckets] } : {};
      return (
        existing(Histogram, name) ?? new Histogram({ name, help, labelNames: labels, registers: [registry], ...more })
      );
    },
    gauge({ name, help, labels = [], collect }) {
      const gauge =
        existing(Gauge, name) ??
        new Gauge({
          name,
          help,
          labelNames: labels,
          registers: [registry],
          ...(collect && {
            collect() {
              return collect.call(this, this);
            },
          }),
        });
      return gauge;
    },
  };
}
