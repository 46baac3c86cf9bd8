import { isSpanContextValid, trace } from '@opentelemetry/api';
import { pino, stdTimeFunctions, type DestinationStream } from 'pino';
import type { Level } from './catalogue/entries';
import type { LogEventAt, LogFields } from './catalogue/log-events';
import { describeError, redact, scrub } from './redact';
import { linesToStandardOutput } from './turn-by-turn';

export type LogLine<L extends Level> = <Name extends LogEventAt<L>>(fields: LogFields<Name>, event: Name) => void;

/** Accepts only events of the catalogue, with their levels and fields. */
export interface Logger extends Readonly<{ [L in Level]: LogLine<L> & ((event: LogEventAt<L>) => void) }> {
  child(bindings: Readonly<Record<string, unknown>>): Logger;
  isLevelEnabled(level: Level): boolean;
}

export interface LoggerOptions {
  readonly service: string;
  readonly level: string;
  /** Default: standard output. */
  readonly destination?: DestinationStream;
}

/**
 * A logger of JSON lines: `time` (UTC), `level` by name, `service`, the fields, `msg`, and `trace_id`/`span_id` of the
 * active span. Values of secret names are replaced at any depth, and errors are written without properties that drivers
 * add.
 */
export function createLogger({ service, level, destination }: LoggerOptions): Logger {
  const logger = pino(
    {
      level,
      base: { service },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: redact },
      // If a line has no message, pino would use the message of the error.
      serializers: { err: (error: unknown) => describeError(error), msg: scrub },
      mixin: traceFields,
    },
    destination ?? linesToStandardOutput(),
  );
  // pino formats the fields of each line, but those of a child logger only once and without the formatter. Child
  // loggers inherit this method.
  const makeChild: CallableFunction = Reflect.get(logger, 'child');
  Object.defineProperty(logger, 'child', {
    value(this: Logger, bindings: Record<string, unknown>, options?: unknown): unknown {
      return Reflect.apply(makeChild, this, [redact(bindings), options]);
    },
  });
  return logger;
}

function traceFields(): Record<string, string> {
  const context = trace.getActiveSpan()?.spanContext();
  return context && isSpanContextValid(context) ? { trace_id: context.traceId, span_id: context.spanId } : {};
}
