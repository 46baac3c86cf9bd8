import { isSpanContextValid, trace } from '@opentelemetry/api';
import { pino, stdTimeFunctions, type DestinationStream } from 'pino';
import type { Level } from './catalogue/entries';
import type { LogEventAt, LogFields } from './catalogue/log-events';
import { describeError, redact, scrub } from './redact';
import { turnByTurn } from './turn-by-turn';

/** Writes one line of a level. */
export type LogLine<L extends Level> = <Name extends LogEventAt<L>>(fields: LogFields<Name>, event: Name) => void;

/** Takes the events of the catalogue alone, each with its levels and fields. */
export interface Logger extends Readonly<{ [L in Level]: LogLine<L> & ((event: LogEventAt<L>) => void) }> {
  child(bindings: Readonly<Record<string, unknown>>): Logger;
  isLevelEnabled(level: Level): boolean;
}

export interface LoggerOptions {
  readonly service: string;
  readonly level: string;
  /** Where lines go; standard output unless a test wants them. */
  readonly destination?: DestinationStream;
}

/**
 * A logger of JSON lines: `time` (UTC), `level` by name, `service`, the fields, `msg`. Values under secret names are
 * replaced at any depth, errors lose what drivers hang on them, and `trace_id`/`span_id` of the active span are
 * attached.
 */
export function createLogger({ service, level, destination }: LoggerOptions): Logger {
  const logger = pino(
    {
      level,
      base: { service },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: redact },
      // pino takes an error's text for the line's own when there is no other.
      serializers: { err: (error: unknown) => describeError(error), msg: scrub },
      mixin: traceFields,
    },
    destination ?? turnByTurn(),
  );
  // pino formats a line's fields at each line, but a child's only once and past the formatter. Children inherit this
  // method.
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
