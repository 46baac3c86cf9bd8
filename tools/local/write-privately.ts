import { renameSync, writeFileSync } from 'node:fs';

/** Atomic, and readable only by the owner, because the file contains secrets. */
export function writePrivately(path: string, value: unknown): void {
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}
