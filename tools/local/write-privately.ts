import { renameSync, writeFileSync } from 'node:fs';

/** Writes JSON that holds secrets: readable by its owner alone, and never half written for who reads it meanwhile. */
export function writePrivately(path: string, value: unknown): void {
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}
