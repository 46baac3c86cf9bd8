/** The values of a label: a list if there are few, otherwise a sentence that names the closed set they belong to. */
export type LabelValues = readonly string[] | string;

export interface MetricEntry {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly unit: string;
  /** Written into `/metrics` as the help text. */
  readonly help: string;
  readonly labels: Readonly<Record<string, LabelValues>>;
  /** Upper bounds of a histogram's buckets, in its unit. */
  readonly buckets?: readonly number[];
}

export type Level = 'debug' | 'info' | 'warn' | 'error' | 'fatal';

export interface LogEventEntry {
  readonly levels: readonly Level[];
  readonly meaning: string;
  /** Names of the fields besides `time`, `level`, `service`, `msg`, `trace_id`, `span_id` and `err`. */
  readonly fields: readonly string[];
}

export interface SpanEntry {
  readonly kind: 'SERVER' | 'CLIENT' | 'CONSUMER';
  readonly meaning: string;
  readonly attributes: readonly string[];
}

export interface Section<Entry> {
  readonly title: string;
  readonly entries: Readonly<Record<string, Entry>>;
}

type Words<Text extends string> = Text extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : Text;

/** Log events whose levels and fields, separated by spaces, are known to the type checker. */
export const debug = eventOf('debug');
export const info = eventOf('info');
export const warn = eventOf('warn');
export const error = eventOf('error');
export const fatal = eventOf('fatal');

function eventOf<L extends Level>(level: L) {
  return <Fields extends string = never>(meaning: string, fields?: Fields) => event([level], meaning, fields);
}

export function event<L extends Level, Fields extends string = never>(
  levels: readonly L[],
  meaning: string,
  fields?: Fields,
): { readonly levels: readonly L[]; readonly meaning: string; readonly fields: readonly Words<Fields>[] };
export function event(levels: readonly Level[], meaning: string, fields?: string): LogEventEntry {
  return { levels, meaning, fields: fields?.split(' ') ?? [] };
}

/** Metrics whose kind and labels are known to the type checker. */
export const counter = metricOf('counter');
export const gauge = metricOf('gauge');
export const histogram = metricOf('histogram');

function metricOf<Kind extends MetricEntry['kind']>(kind: Kind) {
  return <Label extends string = never>(
    unit: string,
    help: string,
    labels = {} as Readonly<Record<Label, LabelValues>>,
    buckets?: readonly number[],
  ) => ({ kind, unit, help, labels, ...(buckets && { buckets }) });
}
