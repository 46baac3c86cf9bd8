import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function workspaceRoot(start: string): string {
  for (let dir = start; ; dir = dirname(dir)) {
    if (existsSync(join(dir, 'package-lock.json'))) return dir;
    if (dir === dirname(dir)) throw new Error(`${start} lies in no workspace: no package-lock.json above it.`);
  }
}
