import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../bootstrap.mjs';

const NX = { NX_DAEMON: 'false', NX_NO_CLOUD: 'true', NX_TUI: 'false' };
const PASSED = { passed: 1, failed: 0, notes: [] };
const FAILED = { passed: 0, failed: 1, notes: [] };

/** The pages of the dashboard have the types of a browser, so they are a program of their own. */
export async function types(children) {
  const programs = ['tsconfig.json', join('apps', 'dashboard-web', 'tsconfig.json')];
  const results = [];
  for (const program of programs) results.push(await command(children, 'types', 'tsc', ['--noEmit', '-p', program]));
  return results.every(({ failed }) => failed === 0) ? PASSED : FAILED;
}

export async function lint(children, paths = []) {
  const where = paths.filter((path) => existsSync(new URL(path, `file://${ROOT}/`)));
  const targets = where.length > 0 ? where : ['.'];
  // The boundary rule reads the project graph that Nx has written down; without one it says so and checks nothing.
  const nx = await command(children, 'lint', 'nx', ['show', 'projects'], { env: NX });
  const skipped = new Set();
  const onLine = (line) => line.includes('rule will be skipped') && skipped.add(line);
  const eslint = await command(children, 'lint', 'eslint', ['--max-warnings=0', ...targets], { onLine });
  const prettier = await command(children, 'lint', 'prettier', ['--check', '--log-level=warn', ...targets]);
  const failed = nx.failed + eslint.failed + prettier.failed + skipped.size > 0;
  return failed ? { ...FAILED, notes: [...skipped] } : PASSED;
}

/** A tool that only says yes or no counts as one test. */
async function command(children, label, tool, args, options) {
  const { code } = await children.run(label, [executable(tool), ...args], options);
  return code === 0 ? PASSED : FAILED;
}

/** The script behind a command, where its package says that it lies. */
export function executable(tool) {
  const folder = join(ROOT, 'node_modules', tool === 'tsc' ? 'typescript' : tool);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[tool]);
}
