import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../bootstrap.mjs';
import { executable } from './checks.mjs';
import { forgetResults, readResults } from './results.mjs';

const TARGETS = { lint: 'lint', types: 'types', unit: 'unit', integration: 'integration', e2e: 'e2e-all' };

/**
 * Runs a stage with Nx. A project whose inputs (nx.json) are unchanged since its last success is not run; its result
 * comes from the cache.
 */
export async function runThroughNx(children, stage, { env = {}, runDir = '', servers = '', skipCache }) {
  forgetResults(stage);
  const run = randomUUID();
  const { code } = await children.run(
    stage,
    [
      ...[executable('nx'), 'run-many', `--targets=${TARGETS[stage]}`, '--outputStyle=stream'],
      ...(skipCache ? ['--skip-nx-cache'] : []),
    ],
    {
      env: {
        NX_DAEMON: 'false',
        NX_NO_CLOUD: 'true',
        NX_TUI: 'false',
        NX_PREFIX_OUTPUT: 'false',
        ...env,
        TEST_RUN: run,
        TEST_RUN_DIRECTORY: runDir,
        TEST_SERVER_VERSIONS: servers,
      },
    },
  );
  const { cached, ...result } = readResults(stage, projectsWith(TARGETS[stage]), run);
  if (code !== 0 && result.failed === 0) {
    result.failed = 1;
    result.notes.push(`FAILED: nx ended with exit code ${code}`);
  }
  return { ...result, cached };
}

function projectsWith(target) {
  const folders = ['apps', 'libs'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(folder, name)),
  );
  const targetsOf = (file, read) => Object.keys(read(JSON.parse(readFileSync(join(ROOT, file), 'utf8'))) ?? {});
  return [
    ...folders.filter((root) => targetsOf(join(root, 'package.json'), ({ nx }) => nx?.targets).includes(target)),
    ...(targetsOf('project.json', ({ targets }) => targets).includes(target) ? ['.'] : []),
  ];
}
