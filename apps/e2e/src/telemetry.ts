import type { ExportedSpan } from './otlp-spans';

/** Content of docs/telemetry.json. */
export interface Telemetry {
  readonly metrics: Readonly<
    Record<string, { readonly kind: string; readonly labels: Readonly<Record<string, string | readonly string[]>> }>
  >;
  readonly spans: Readonly<Record<string, { readonly kind: string; readonly attributes: readonly string[] }>>;
  readonly logEvents: Readonly<
    Record<string, { readonly levels: readonly string[]; readonly fields: readonly string[] }>
  >;
}

/** Fields that the logger adds. */
const OF_EVERY_LINE = ['time', 'level', 'service', 'msg', 'trace_id', 'span_id', 'err'];
/** Labels that the registry and histograms add. */
const OF_EVERY_SERIES = ['service', 'le'];

/** A sample. Example: `sms_decided_total{status="MATCHED",service="sms-ingest"} 3` */
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Differences between `/metrics` of all services and the catalogue, in both directions. */
export function problemsOfMetrics({ metrics }: Telemetry, scraped: readonly string[]): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const line of scraped.flatMap((text) => text.split('\n'))) {
    const [, word, name = '', kind] = /^# (TYPE) (\S+) (\S+)$/.exec(line) ?? [];
    if (word !== undefined) {
      seen.add(name);
      if (metrics[name]?.kind !== kind)
        problems.push(`metric ${name} is a ${kind}, not a ${String(metrics[name]?.kind)}`);
      continue;
    }
    const [, sample, labels = ''] = SAMPLE.exec(line) ?? [];
    if (sample === undefined) continue;
    const base = metrics[sample] === undefined ? sample.replace(/_(bucket|sum|count)$/, '') : sample;
    for (const [, label = '', value = ''] of labels.matchAll(LABEL)) {
      if (OF_EVERY_SERIES.includes(label)) continue;
      const values = metrics[base]?.labels[label];
      if (values === undefined) problems.push(`metric ${base} has the label ${label}`);
      else if (Array.isArray(values) && !values.includes(value)) problems.push(`metric ${base}: ${label} is ${value}`);
    }
  }
  const missing = Object.keys(metrics).filter((name) => !seen.has(name));
  return [...problems, ...missing.map((name) => `metric ${name} is registered by no service`)];
}

export function problemsOfLine(
  { logEvents }: Telemetry,
  line: { readonly msg: string; readonly level: string },
): string[] {
  const event = logEvents[line.msg];
  if (event === undefined) return [`log event ${line.msg} is not in the catalogue`];
  const problems = event.levels.includes(line.level) ? [] : [`log event ${line.msg} has the level ${line.level}`];
  const unknown = Object.keys(line).filter((name) => !OF_EVERY_LINE.includes(name) && !event.fields.includes(name));
  return [...problems, ...unknown.map((name) => `log event ${line.msg} has the field ${name}`)];
}

/** Differences between the exported spans and the catalogue. */
export function problemsOfSpans({ spans }: Telemetry, exported: readonly ExportedSpan[]): string[] {
  const entries = Object.entries(spans).map(([title, entry]) => ({ title, ...entry, pattern: patternOf(title) }));
  const entryOf = ({ name, kind }: ExportedSpan) =>
    entries.find((entry) => entry.kind === kind && entry.pattern.test(name));
  const unknown = exported
    .filter((span) => entryOf(span) === undefined)
    .map(({ name, kind }) => `span ${name} of kind ${kind} is not in the catalogue`);
  const differing = entries.flatMap((entry) => {
    const own = exported.filter((span) => entryOf(span) === entry);
    if (own.length === 0) return [`span ${entry.title} is emitted by no service`];
    const emitted = new Set(own.flatMap(({ attributes }) => attributes));
    return [
      ...[...emitted]
        .filter((name) => !entry.attributes.includes(name))
        .map((name) => `span ${entry.title} has the attribute ${name}`),
      ...entry.attributes
        .filter((name) => !emitted.has(name))
        .map((name) => `span ${entry.title} never has the attribute ${name}`),
    ];
  });
  return [...new Set([...unknown, ...differing])];
}

/** Parts in braces vary. Example: `process {queue}` */
function patternOf(title: string): RegExp {
  const literals = title.split(/\{\w+\}/).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literals.join('.+')}$`, 's');
}
