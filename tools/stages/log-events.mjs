import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../bootstrap.mjs';
import { NOT_PROVOKED } from './not-provoked.mjs';

/** Stages whose specs run code that logs. */
export const LOGGING_STAGES = ['unit', 'integration', 'e2e'];

/** Reads the names of the files that tools/jest/log-events.cjs has written. */
export function loggedIn(folder, project) {
  const own = join(folder, project);
  return existsSync(own) ? readdirSync(own) : [];
}

/**
 * Counts as one test: specs must cause every event of the catalogue. Programs that specs start are not recorded, so
 * their events are those that a spec names.
 */
export function allLogged(
  logged,
  { catalogue = readCatalogue(), specs = readSpecs(), notProvoked = NOT_PROVOKED } = {},
) {
  const isSeen = (event) => logged.has(event) || specs.includes(`'${event}'`);
  const missing = catalogue.filter((event) => !isSeen(event) && !notProvoked.includes(event));
  const unknown = notProvoked.filter((event) => !catalogue.includes(event));
  const provoked = notProvoked.filter((event) => specs.includes(`'${event}'`));
  const problems = [
    ...missing.map((event) => `FAILED: no spec makes the code log ${event}`),
    ...unknown.map((event) => `FAILED: not-provoked.mjs names ${event}, which is not in the catalogue`),
    ...provoked.map((event) => `FAILED: not-provoked.mjs names ${event}, which a spec provokes`),
  ];
  const seen = catalogue.filter(isSeen).length;
  const superfluous = notProvoked.filter((event) => logged.has(event));
  return {
    passed: problems.length === 0 ? 1 : 0,
    failed: problems.length === 0 ? 0 : 1,
    notes: [
      `${seen} of ${catalogue.length} log events were seen`,
      ...(superfluous.length > 0
        ? [
            `not-provoked.mjs names events that were seen; remove those that occur in every run: ${superfluous.join(', ')}`,
          ]
        : []),
      ...problems,
    ],
  };
}

function readCatalogue() {
  return Object.keys(JSON.parse(readFileSync(join(ROOT, 'docs', 'telemetry.json'), 'utf8')).logEvents);
}

function readSpecs() {
  const files = execFileSync('git', ['ls-files', 'apps/*.spec.ts', 'libs/*.spec.ts'], { cwd: ROOT, encoding: 'utf8' });
  const paths = files.split('\n').filter((path) => path !== '' && existsSync(join(ROOT, path)));
  return paths.map((path) => readFileSync(join(ROOT, path), 'utf8')).join('\n');
}
