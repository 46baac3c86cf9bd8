import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the repository. Commands work from any folder. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

const LOCKFILE = join(ROOT, 'package-lock.json');
const INSTALLED = join(ROOT, 'node_modules', '.package-lock.json');
const STOPPING = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const STAMP = join(ROOT, 'node_modules', '.installed-lockfile');

/** Installs the locked packages if there are none or the lockfile has changed. */
export async function ensureDependencies(say) {
  const wanted = createHash('sha256').update(readFileSync(LOCKFILE)).digest('hex');
  if (existsSync(STAMP) ? readFileSync(STAMP, 'utf8') === wanted : installedByHand()) return;
  say('Installing packages (npm ci, about a minute)');
  const [program, ...first] = npmCommand();
  // Development packages are needed to build the services, regardless of NODE_ENV.
  const flags = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const status = await new Promise((resolve) => {
    const child = spawn(program, [...first, ...flags], { cwd: ROOT, stdio: ['ignore', 2, 'inherit'] });
    child.once('error', () => resolve(-1));
    child.once('close', resolve);
  });
  if (status !== 0) {
    throw new Error(
      '`npm ci` failed (see its output above). It needs the npm registry: check the network and the registry of ' +
        '`npm config get registry`, and run the command again.',
    );
  }
  writeFileSync(STAMP, wanted);
}

/** Program and first arguments. Prefers the npm that runs this command to the one on the PATH. */
export function npmCommand() {
  const npm = process.env.npm_execpath;
  return npm && /\.c?js$/.test(npm) ? [process.execPath, npm] : ['npm'];
}

function installedByHand() {
  return existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs >= statSync(LOCKFILE).mtimeMs;
}

export function requireBuilt(name) {
  process.setSourceMapsEnabled(true);
  return createRequire(import.meta.url)(join(ROOT, 'dist', 'tools', `${name}.js`));
}

/**
 * Returns the exit code of a program that shares input and output with this one; 1 after a signal. Signals are passed
 * to it, and this process continues, so that it can delete its files.
 */
export async function runToEnd(program, args, options = {}) {
  const child = spawn(program, args, { stdio: 'inherit', ...options });
  const pass = (signal) => child.kill(signal);
  for (const signal of STOPPING) process.on(signal, pass);
  try {
    const [code] = await once(child, 'exit');
    return code ?? 1;
  } finally {
    for (const signal of STOPPING) process.off(signal, pass);
  }
}

/** Like runToEnd, but throws if the exit code is not 0. */
export async function runSuccessfully(program, args, options) {
  const code = await runToEnd(program, args, options);
  if (code !== 0) throw new Error(`${[program, ...args].join(' ')} ended with code ${code}; the reason is above.`);
}

/** Returns the exit code of a program of apps/e2e, which runs on this Node or on a given one. */
export function runE2e(name, args, { node = process.execPath, ...options } = {}) {
  const program = join(ROOT, 'dist', 'apps', 'e2e', `${name}.js`);
  return runToEnd(node, ['--enable-source-maps', program, ...args], options);
}

/** Runs integration specs with the servers of `npm test`. */
export function testSpecs(specs, env) {
  const args = [join(ROOT, 'tools', 'test.mjs'), '--only=integration', ...specs];
  return runToEnd(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...env } });
}

/** Without a stack trace, because a missing RabbitMQ is not a defect of the program. */
export function fail(error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  if (process.env.DEBUG && error instanceof Error) console.error(error.stack);
  process.exit(1);
}
