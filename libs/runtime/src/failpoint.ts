/** esbuild's `define` sets this to false in production bundles, which removes the mechanism from them. */
declare const __FAILPOINTS__: boolean | undefined;

let specification: string | undefined;
const hits = new Map<string, number>();

/**
 * A named place where a test can kill, hang or fail the process: `FAILPOINT=name:kill|hang|throw[:nth]`, separated by
 * commas. With `nth` only that execution counts.
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
      for (;;); // SIGKILL ends the process before its next instruction.
    }
    throw new Error(`FAILPOINT names the unknown action ${String(action)}`);
  }
}
