import { isSpanContextValid, trace } from '@opentelemetry/api';
import { destination as fileDestination, pino, stdTimeFunctions, type DestinationStream } from 'pino';
import { describeError, redact } from './redact';

export type Logger = pino.Logger;

export interface LoggerOptions {
  readonly service: string;
  readonly level: string;
  /** Where lines go; standard output unless a test wants them. */
  readonly destination?: DestinationStream;
}

/**
 * A logger of JSON lines: `time` (UTC), `level` by name, `service`, the fields, `msg`. Values under secret names are replaced at any
 * depth, errors lose what drivers hang on them, and `trace_id`/`span_id` of the active span are attached.
 */
export function createLogger({ service, level, destination }: LoggerOptions): Logger {
  const logger = pino(
    {
      level,
      base: { service },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: redact },
      serializers: { err: (error: unknown) => describeError(error) },
      mixin: traceFields,
    },
    // Asynchronous: while one write is under way the next lines gather. flushLogs and pino's exit hook write the rest.
    destination ?? fileDestination({ dest: 1, sync: false }),
  );
  // pino formats a line's fields at each line, but a child's only once and past the formatter. Children inherit this method.
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

/** Resolves when every line so far has been handed to the operating system, at the latest after a second. */
export function flushLogs(log: Logger): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 1_000);
    log.flush(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
