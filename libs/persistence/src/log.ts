import type { LogLine } from '@pay/runtime';

/** What persistence needs of a logger; the one of `@pay/runtime` fits. */
export interface Log {
  readonly info: LogLine<'info'>;
  readonly warn: LogLine<'warn'>;
  readonly error: LogLine<'error'>;
}
