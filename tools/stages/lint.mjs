import { existsSync, readdirSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { ROOT } from '../bootstrap.mjs';
import { command, executable, FAILED, PASSED } from './checks.mjs';

const NX = { NX_DAEMON: 'false', NX_NO_CLOUD: 'true', NX_TUI: 'false' };
const PROJECT_FOLDERS = ['apps', 'libs'];
/** Exit code of all three tools if files have problems, which they name. Otherwise the tool itself failed. */
const TO_CORRECT = 1;

export async function lintPaths(children, paths) {
  const where = paths.filter((path) => existsSync(join(ROOT, path)));
  // The boundary rule reads the project graph that Nx has stored.
  const nx = await command(children, 'lint', 'nx', ['show', 'projects'], { env: NX });
  const { runs, notes } = await check(children, where.length > 0 ? where : ['.']);
  const passed = nx.failed === 0 && runs.every(({ code }) => code === 0) && notes.length === 0;
  return passed ? PASSED : { ...FAILED, notes };
}

/** One run for several projects, because each tool needs seconds to start. `tools` contains all files outside of projects. */
export async function lintProjects(children, parts) {
  const hasRest = parts.includes('tools');
  const others = hasRest ? projectFolders().filter((folder) => !parts.includes(folder)) : [];
  const { runs, notes } = await check(children, hasRest ? ['.'] : parts, others);
  const partsOf = ({ files }) => files.map(partOf).filter((part) => parts.includes(part));
  const hasRun = (run) => run.code === 0 || (run.code === TO_CORRECT && partsOf(run).length > 0);
  if (!runs.every(hasRun) || notes.length > 0) return { ...FAILED, notes };
  const toCorrect = new Set(runs.flatMap(partsOf));
  const failed = toCorrect.size;
  const byPart = new Map(parts.map((part) => [part, toCorrect.has(part) ? FAILED : PASSED]));
  return { passed: parts.length - failed, failed, notes, byPart };
}

/** Returns exit code and files with problems of each tool, and notes about parts that were not checked. */
async function check(children, folders, without = []) {
  const notes = new Set();
  const run = async (tool, args) => {
    const files = [];
    const onLine = (line) => {
      const file = fileNamedBy(line);
      if (file !== undefined) files.push(file);
      // Without a project graph, the boundary rule prints this and checks nothing.
      if (line.includes('rule will be skipped')) notes.add(line);
    };
    const { code } = await children.run('lint', [executable(tool), ...args], { onLine });
    return { code, files };
  };
  const ignored = without.flatMap((folder) => ['--ignore-pattern', `${folder}/**`]);
  // Rules that need types are checked with the native compiler, which needs a fifth of the processor time of ESLint's.
  const oxlint = await run('oxlint', ['--format=unix', '--no-error-on-unmatched-pattern', ...ignored, ...folders]);
  const eslint = await run('eslint', ['--max-warnings=0', '--no-warn-ignored', ...ignored, ...folders]);
  const except = without.map((folder) => `!${folder}/**`);
  const prettier = await run('prettier', ['--check', '--log-level=warn', ...folders, ...except]);
  return { runs: [oxlint, eslint, prettier], notes: [...notes] };
}

/** ESLint prints a file on a separate line, Prettier after `[warn]`, Oxlint before the position. */
function fileNamedBy(line) {
  const path = resolve(ROOT, line.replace(/^\[warn\] /, '').replace(/:\d+:\d+: .*$/, ''));
  return line.trim() !== '' && existsSync(path) ? relative(ROOT, path) : undefined;
}

function partOf(file) {
  const [first, second] = file.split(sep);
  return PROJECT_FOLDERS.includes(first) ? join(first, second) : 'tools';
}

function projectFolders() {
  return PROJECT_FOLDERS.flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => join(folder, name)));
}
