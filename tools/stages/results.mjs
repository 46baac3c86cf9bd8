import { mkdirSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../bootstrap.mjs';

/** Nx caches these files with the results of successful tasks (`outputs` in nx.json) and restores them. */
const RESULTS = join(ROOT, '.nx', 'results');

export function forgetResults(stage) {
  rmSync(join(RESULTS, stage), { recursive: true, force: true });
}

/** `run` distinguishes results of this run from earlier ones. */
export function writeResult(stage, project, { passed, failed, notes, logEvents }) {
  const file = fileOf(stage, project);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ run: process.env.TEST_RUN, passed, failed, notes, logEvents }));
}

/** The sum of all projects. A project without a result has failed. */
export function readResults(stage, projects, run) {
  const total = { passed: 0, cached: 0, failed: 0, notes: [], logEvents: new Set() };
  for (const project of projects) {
    const file = fileOf(stage, project);
    if (!existsSync(file)) {
      total.failed += 1;
      total.notes.push(`FAILED: ${project} has no result`);
      continue;
    }
    const result = JSON.parse(readFileSync(file, 'utf8'));
    const isFromCache = result.run !== run;
    total.passed += result.passed;
    total.failed += result.failed;
    for (const event of result.logEvents) total.logEvents.add(event);
    if (isFromCache) total.cached += result.passed;
    else total.notes.push(...result.notes);
  }
  return total;
}

function fileOf(stage, project) {
  return join(RESULTS, stage, `${project === '.' ? 'workspace' : project}.json`);
}
