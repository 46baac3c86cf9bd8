import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ROOT } from '../bootstrap.mjs';
import { runningSpecs, sinceProgress } from './running-specs.mjs';

/** Jest that still runs this long after its report has an open handle. */
const EXIT_PATIENCE_MS = 15_000;
const SLOWEST_SHOWN = 10;
/** Enough lines to show expected and received. The output of the stage contains the complete message. */
const REASON_LINES = 25;
const STAGE_LIMIT_MS = 60 * 60_000;
/** Longer than any spec file takes on a busy machine. */
const FILE_LIMIT_MS = 15 * 60_000;

/**
 * Runs one project of jest.config.cjs; a test that did not pass counts as failed. `parts` are folders that are also
 * counted separately.
 */
export async function runJest(children, { project, paths, parts, env = {}, workers = 2, testTimeoutMs = 5_000 }) {
  const folder = mkdtempSync(join(tmpdir(), 'jest-result-'));
  const file = join(folder, 'result.json');
  const progress = join(folder, 'progress');
  try {
    const child = children.start(
      project,
      [
        join('node_modules', 'jest', 'bin', 'jest.js'),
        `--selectProjects=${project}`,
        `--maxWorkers=${workers}`,
        `--cacheDirectory=${join(ROOT, 'node_modules', '.cache', 'jest')}`,
        // Default timeout of a test: long enough for a busy machine, short enough to end a test that hangs.
        `--testTimeout=${testTimeoutMs}`,
        '--passWithNoTests',
        '--json',
        `--outputFile=${file}`,
        ...['--reporters=default', `--reporters=${join(ROOT, 'tools', 'jest', 'progress-reporter.cjs')}`],
        '--',
        ...paths,
      ],
      { env: { CI: 'true', ...env, PROGRESS_FILE: progress } },
    );
    const problem = await exit(children, child, { file, progress });
    return count({ file, problem, parts, isWhole: paths.length === 0 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Undefined if Jest ended. Otherwise the reason why it was stopped. */
async function exit(children, child, { file, progress }) {
  const started = Date.now();
  let reportedAt;
  for (;;) {
    const ended = await Promise.race([child.ended, pause(500)]);
    if (ended) return ended.signal ? `jest was killed by ${ended.signal}` : undefined;
    if (existsSync(file)) reportedAt ??= Date.now();
    if (reportedAt && Date.now() - reportedAt > EXIT_PATIENCE_MS) {
      await children.end(child);
      return 'jest did not end after the last test: a spec leaves something open';
    }
    const limit = Date.now() - started > STAGE_LIMIT_MS ? STAGE_LIMIT_MS : undefined;
    const fileLimit = !reportedAt && sinceProgress(progress) > FILE_LIMIT_MS ? FILE_LIMIT_MS : undefined;
    if (limit !== undefined || fileLimit !== undefined) {
      await children.end(child);
      const running = runningSpecs(progress).map((path) => relative(ROOT, path));
      return `FAILED: not done after ${(limit ?? fileLimit) / 60_000} minutes; running: ${running.join(', ') || 'nothing'}`;
    }
  }
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

function count({ file, problem, parts, isWhole }) {
  const notes = problem ? [problem] : [];
  if (!existsSync(file)) return { passed: 0, failed: 1, notes: [problem ?? 'jest crashed before it could report'] };
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  if (isWhole || parts) notes.push(`the slowest files: ${slowest(testResults)}`);
  const all = countSuites(testResults);
  const failed = all.failed + (problem ? 1 : 0);
  if (all.passed + failed === 0 && isWhole)
    return { passed: 0, failed: 1, notes: [...notes, 'there is not a single test'] };
  // A folder passes only if Jest ended without being stopped.
  const byPart = problem
    ? undefined
    : new Map(parts?.map((part) => [part, countSuites(testResults.filter(({ name }) => isIn(part, name)))]));
  return { passed: all.passed, failed, notes: [...notes, ...all.notes], byPart };
}

function isIn(folder, file) {
  return !relative(join(ROOT, folder), file).startsWith('..');
}

function countSuites(suites) {
  const notes = [];
  let passed = 0;
  let failed = 0;
  for (const suite of suites) {
    const name = relative(ROOT, suite.name);
    const broken = suite.assertionResults.filter((test) => test.status !== 'passed');
    passed += suite.assertionResults.length - broken.length;
    failed += broken.length;
    for (const test of broken) notes.push(`${statusOf(test)}: ${name}: ${test.fullName}${reasonOf(test)}`);
    // A file that cannot be loaded, or whose beforeAll or afterAll throws, counts as failed although none of its tests
    // has failed.
    if (suite.status === 'failed' && broken.length === 0) {
      failed += 1;
      notes.push(`FAILED: ${name}: ${firstLine(suite.message)}`);
    }
  }
  return { passed, failed, notes };
}

function statusOf({ status }) {
  return status === 'failed' ? 'FAILED' : `${status}, so FAILED`;
}

function reasonOf({ failureMessages }) {
  const lines = failureMessages.flatMap((message) => message.split('\n'));
  const ours = lines.filter((line) => !/^ +at .*(node_modules|node:internal|<anonymous>)/.test(line));
  return ours
    .slice(0, REASON_LINES)
    .map((line) => `\n    ${line}`)
    .join('');
}

function slowest(suites) {
  const timed = suites.map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }));
  const first = timed.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOWEST_SHOWN);
  return first.map(({ name, seconds }) => `${relative(ROOT, name)} ${seconds.toFixed(0)} s`).join(', ');
}

function firstLine(message) {
  // Jest starts with a bullet and the name of the suite, so the first line of the message itself is used.
  const lines = message.split('\n').map((line) => line.trim());
  return lines.find((line) => line !== '' && !line.startsWith('●')) ?? 'did not run';
}
