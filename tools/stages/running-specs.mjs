import { existsSync, readFileSync, statSync } from 'node:fs';

/** Reads the file of tools/jest/progress-reporter.cjs: spec files that have started and not ended. */
export function runningSpecs(file) {
  if (!existsSync(file)) return [];
  const running = new Set();
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    if (line.startsWith('+')) running.add(line.slice(1));
    else running.delete(line.slice(1));
  }
  return [...running];
}

/** Milliseconds since a spec file last started or ended; 0 before the first start. */
export function sinceProgress(file, now = Date.now()) {
  return existsSync(file) ? now - statSync(file).mtimeMs : 0;
}
