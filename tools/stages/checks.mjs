import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../bootstrap.mjs';

export const PASSED = { passed: 1, failed: 0, notes: [] };
export const FAILED = { passed: 0, failed: 1, notes: [] };

/** The native compiler uses a quarter of the processor time. ESLint and Nx need the other one. */
const COMPILER = 'typescript-7';

/** The dashboard uses the types of browsers, so it is a separate program. */
export async function types(children) {
  const programs = ['tsconfig.json', join('apps', 'dashboard-web', 'tsconfig.json')];
  const results = [];
  for (const program of programs) results.push(await command(children, 'types', COMPILER, ['--noEmit', '-p', program]));
  return results.every(({ failed }) => failed === 0) ? PASSED : FAILED;
}

/** A tool without single results counts as one test. */
export async function command(children, label, tool, args, options) {
  const { code } = await children.run(label, [executable(tool), ...args], options);
  return code === 0 ? PASSED : FAILED;
}

/** Script of a command, from `bin` in its package. */
export function executable(tool) {
  const folder = join(ROOT, 'node_modules', tool);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[tool === COMPILER ? 'tsc' : tool]);
}
