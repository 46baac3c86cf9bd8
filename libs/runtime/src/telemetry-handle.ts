/**
 * telemetry.ts is preloaded from a bundle of its own, so the two sides share no module. A registered symbol is what
 * they have in common.
 */
const HANDLE = Symbol.for('pay.telemetry.flush');
const LONGEST_FLUSH_MS = 2_000;

type Flush = () => Promise<void>;
const globals = globalThis as { [HANDLE]?: Flush };

export function offerTelemetryFlush(flush: Flush): void {
  globals[HANDLE] = flush;
}

/**
 * Sends the spans that are still held; a collector that does not answer delays the end of the process by two seconds at
 * most.
 */
export async function flushTelemetry(): Promise<void> {
  const flush = globals[HANDLE];
  if (!flush) return;
  const patience = new Promise<void>((resolve) => setTimeout(resolve, LONGEST_FLUSH_MS).unref());
  await Promise.race([flush().catch(() => undefined), patience]);
}
