import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ProgressReporter from '../jest/progress-reporter.cjs';
import { runningSpecs, sinceProgress } from './running-specs.mjs';

describe('the spec files that a run of jest has not ended', () => {
  const folder = mkdtempSync(join(tmpdir(), 'running-specs-'));
  const file = join(folder, 'progress');
  afterAll(() => {
    delete process.env.PROGRESS_FILE;
    rmSync(folder, { recursive: true });
  });

  it('are those that have started and have no result', () => {
    expect(runningSpecs(file)).toEqual([]);
    expect(sinceProgress(file)).toBe(0);

    process.env.PROGRESS_FILE = file;
    const reporter = new ProgressReporter();
    for (const path of ['/a.spec.ts', '/b.spec.ts', '/c.spec.ts']) reporter.onTestFileStart({ path });
    reporter.onTestFileResult({ path: '/b.spec.ts' });

    expect(runningSpecs(file)).toEqual(['/a.spec.ts', '/c.spec.ts']);
    expect(sinceProgress(file, statSync(file).mtimeMs + 5_000)).toBe(5_000);
  });
});
