/** esbuild's `define` sets it to false for production bundles, and the whole mechanism is dropped from them. */
declare const __FAILPOINTS__: boolean | undefined;

let specification: string | undefined;
const hits = new Map<string, number>();

/**
 * A named place where a test can make the process die, hang or throw: `FAILPOINT=name:kill|hang|throw[:nth]`, several
 * separated by commas. With `nth` only that pass through the place counts. Await it where the caller can wait.
 */
export function failpoint(name: string): Promise<void> | void {
  if (typeof __FAILPOINTS__ === 'undefined' || __FAILPOINTS__) return strike(name);
}

function strike(name: string): Promise<void> | void {
  const current = process.env['FAILPOINT'];
  if (current !== specification) {
    specification = current;
    hits.clear();
  }
  if (!current) return;
  for (const entry of current.split(',')) {
    const [place, action, nth] = entry.trim().split(':');
    if (place !== name) continue;
    const count = (hits.get(entry) ?? 0) + 1;
    hits.set(entry, count);
    if (nth !== undefined && count !== Number(nth)) continue;
    if (action === 'throw') throw new Error(`failpoint ${name}`);
    if (action === 'hang') return new Promise(() => undefined);
    if (action === 'kill') {
      process.kill(process.pid, 'SIGKILL');
      for (;;); // Not one more instruction of ours runs.
    }
    throw new Error(`FAILPOINT names the unknown action ${String(action)}`);
  }
}
