import type { LabelValues, LogEventEntry, MetricEntry, Section, SpanEntry } from './entries';
import { LOG_EVENT_SECTIONS } from './log-events';
import { METRIC_SECTIONS } from './metrics';
import { SPANS } from './spans';

const INTRODUCTION = `# Telemetry

Generated from \`libs/runtime/src/catalogue\` by \`node tools/telemetry.mjs\`, as is [telemetry.json](telemetry.json), the same for programs. Tests compare it
with the code, with what the running system emits, and with every rule and dashboard in [deploy/observability](../deploy/observability/README.md).

Metrics are at \`/metrics\` of each service's private port. Every series has the label \`service\` besides those listed. Values of labels come from closed
sets: never an id, a number or a text of a caller.

Log lines are JSON: \`time\` (UTC), \`level\`, \`service\`, the fields, \`msg\` (the event), and \`trace_id\`, \`span_id\` inside a trace. \`err\` is an error.

Spans are sent by OTLP over HTTP to \`OTEL_EXPORTER_OTLP_ENDPOINT\`; \`TRACE_SAMPLE_RATIO\` says which part of all traces is recorded. Phone numbers, SMS
texts, secrets and full TrxIDs are in none of the three.
`;

/** docs/telemetry.md */
export function telemetryPage(): string {
  const metrics = METRIC_SECTIONS.map((section) =>
    part(section, ['metric', 'kind', 'unit', 'labels', 'meaning'], metricRow),
  );
  const events = LOG_EVENT_SECTIONS.map((section) => part(section, ['event', 'level', 'fields', 'meaning'], eventRow));
  const spans = table(['span', 'kind', 'attributes', 'meaning'], Object.entries<SpanEntry>(SPANS).map(spanRow));
  return [INTRODUCTION, '## Metrics\n', ...metrics, '## Spans\n', spans, '## Log events\n', ...events].join('\n');
}

/** docs/telemetry.json */
export function telemetryFile(): string {
  const all = <Entry>(sections: readonly Section<Entry>[]) =>
    Object.fromEntries(sections.flatMap(({ entries }) => Object.entries(entries)));
  const file = { metrics: all(METRIC_SECTIONS), spans: SPANS, logEvents: all(LOG_EVENT_SECTIONS) };
  const groups = Object.entries(file).map(([group, entries]) => `"${group}": ${onePerLine(entries)}`);
  return `{\n${groups.join(',\n')}\n}\n`;
}

/** JSON with one entry per line, so that a change of an entry is a change of one line. */
function onePerLine(entries: object): string {
  const lines = Object.entries(entries).map(([name, entry]) => `${JSON.stringify(name)}: ${JSON.stringify(entry)}`);
  return `{\n${lines.join(',\n')}\n}`;
}

function part<Entry>(
  { title, entries }: Section<Entry>,
  columns: readonly string[],
  row: (entry: [string, Entry]) => readonly string[],
): string {
  return `### ${title}\n\n${table(columns, Object.entries(entries).map(row))}`;
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return `${[line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n')}\n`;
}

function metricRow([name, { kind, unit, labels, buckets, help }]: [string, MetricEntry]): string[] {
  const described = Object.entries(labels).map(([label, values]) => `${code(label)}: ${shown(values)}`);
  const bounds = buckets === undefined ? '' : ` Buckets: ${buckets.join(', ')}.`;
  return [code(name), kind, unit, described.join('; '), `${help.replace(/([^.])$/, '$1.')}${bounds}`];
}

function shown(values: LabelValues): string {
  return typeof values === 'string' ? values : values.join(', ');
}

function eventRow([name, { levels, fields, meaning }]: [string, LogEventEntry]): string[] {
  return [code(name), levels.join(', '), fields.map(code).join(', '), meaning];
}

function spanRow([name, { kind, attributes, meaning }]: [string, SpanEntry]): string[] {
  return [code(name), kind, attributes.map(code).join(', '), meaning];
}

function code(text: string): string {
  return `\`${text}\``;
}
