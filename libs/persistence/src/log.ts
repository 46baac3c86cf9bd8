import type { LogLine } from '@pay/runtime';

/** The part of a logger that persistence uses; the logger of `@pay/runtime` has it. */
export interface Log {
  readonly info: LogLine<'info'>;
  readonly warn: LogLine<'warn'>;
  readonly error: LogLine<'error'>;
}
