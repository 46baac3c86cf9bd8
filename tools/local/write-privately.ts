import { renameSync, writeFileSync } from 'node:fs';

/** Writes JSON with secrets: readable only by its owner, and replaced atomically. */
export function writePrivately(path: string, value: unknown): void {
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}
