/**
 * telemetry.ts is preloaded from a separate bundle, so it shares no module with the service. They share a registered
 * symbol.
 */
const HANDLE = Symbol.for('pay.telemetry.flush');
const LONGEST_FLUSH_MS = 2_000;

type Flush = () => Promise<void>;
const globals = globalThis as { [HANDLE]?: Flush };

export function offerTelemetryFlush(flush: Flush): void {
  globals[HANDLE] = flush;
}

/**
 * Sends buffered spans. If the collector does not respond, this delays the end of the process by at most two seconds.
 */
export async function flushTelemetry(): Promise<void> {
  const flush = globals[HANDLE];
  if (!flush) return;
  const patience = new Promise<void>((resolve) => setTimeout(resolve, LONGEST_FLUSH_MS).unref());
  await Promise.race([flush().catch(() => undefined), patience]);
}
