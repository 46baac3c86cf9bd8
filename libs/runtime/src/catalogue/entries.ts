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

/** A log event whose levels and fields are known to the type checker. */
export function event<L extends Level, Field extends string = never>(
  levels: readonly L[],
  meaning: string,
  ...fields: readonly Field[]
): { readonly levels: readonly L[]; readonly meaning: string; readonly fields: readonly Field[] } {
  return { levels, meaning, fields };
}
