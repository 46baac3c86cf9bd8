import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../bootstrap.mjs';
import { types } from './checks.mjs';
import { Children } from './children.mjs';
import { e2e } from './e2e.mjs';
import { runJest } from './jest.mjs';
import { lintPaths, lintProjects } from './lint.mjs';
import { loggedIn } from './log-events.mjs';
import { writeResult } from './results.mjs';
import { say } from './say.mjs';

/** `parts` are the folders of projects without a cached result. */
export const STAGES = {
  lint: (children, { paths, parts }) => (parts ? lintProjects(children, parts) : lintPaths(children, paths)),
  types: (children) => types(children),
  unit: (children, { paths, parts }) => runJest(children, { project: 'unit', paths, parts, testTimeoutMs: 30_000 }),
  integration: (children, { paths, parts, env }) =>
    runJest(children, { project: 'integration', paths, parts, env, workers: 3, testTimeoutMs: 90_000 }),
  e2e: (children, { paths, env, runDir }) => e2e(children, { paths, env, runDir, say }),
};

/**
 * Nx calls this in a separate process. All projects share one run, because they share workers, loaded packages and
 * compiled files.
 */
export async function runStage(tasks) {
  const children = new Children({ ownGroups: false });
  const [{ stage }] = tasks;
  const parts = tasks.map(({ root }) => (root === '.' ? 'tools' : root));
  const paths = stage === 'unit' || stage === 'integration' ? parts.map((part) => `${join(ROOT, part)}/`) : [];
  const { TEST_RUN_DIRECTORY: runDir } = process.env;
  const LOG_EVENTS_FOLDER = mkdtempSync(join(tmpdir(), 'log-events-'));
  let result;
  try {
    result = await STAGES[stage](children, {
      paths,
      parts,
      runDir,
      env: { ...serversOf(process.env), LOG_EVENTS_FOLDER },
    });
  } catch (error) {
    result = { passed: 0, failed: 1, notes: [error instanceof Error ? (error.stack ?? error.message) : String(error)] };
  } finally {
    await children.endAll();
  }
  const succeeded = tasks.filter((task, index) => {
    const logEvents = loggedIn(LOG_EVENTS_FOLDER, parts[index]);
    return store(task, parts[index], { result, logEvents, isFirst: index === 0 });
  });
  rmSync(LOG_EVENTS_FOLDER, { recursive: true, force: true });
  return new Set(succeeded.map(idOf));
}

/** Results without a project count for the first project, and then no project has passed. */
function store({ stage, root }, part, { result, logEvents, isFirst }) {
  const { byPart, notes = [], ...all } = result;
  const own = byPart?.get(part);
  const shared = isFirst ? { ...all, notes } : { passed: 0, failed: 0, notes: [] };
  const general = isFirst ? notes.filter((note) => !note.includes('FAILED')) : [];
  writeResult(stage, root, { ...(own ? { ...own, notes: [...general, ...own.notes] } : shared), logEvents });
  return (own ?? all).failed === 0;
}

function idOf({ id }) {
  return id;
}

function serversOf({ TEST_POSTGRES_URL, TEST_AMQP_URL, TEST_AMQP_PASSWORDS_FILE, TMPDIR }) {
  const given = { TEST_POSTGRES_URL, TEST_AMQP_URL, TEST_AMQP_PASSWORDS_FILE, TMPDIR };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
