#!/usr/bin/env node
/**
 * npm run bench: figures of the running system; without one, of a fresh system that is started for the purpose and forgotten afterwards.
 * Options: --short (seconds instead of minutes), --growth (only those of a merchant with very many intents), --json FILE (figures for comparison), --run-dir FOLDER (of a running system).
 */
import { requireNode } from './require-node.mjs';

requireNode();
const { spawn } = await import('node:child_process');
const { once } = await import('node:events');
const { existsSync, mkdtempSync, rmSync } = await import('node:fs');
const { tmpdir } = await import('node:os');
const { join, resolve } = await import('node:path');
const { parseArgs } = await import('node:util');
const { ensureDependencies, fail, ROOT } = await import('./bootstrap.mjs');

const START_TIMEOUT_MS = 300_000;

async function bench() {
  const { values } = parseArgs({
    options: {
      short: { type: 'boolean' },
      growth: { type: 'boolean' },
      json: { type: 'string' },
      'run-dir': { type: 'string' },
    },
  });
  await ensureDependencies(console.log);
  const { buildAll } = await import('./build.mjs');
  await buildAll();
  const running = resolve(values['run-dir'] ?? join(ROOT, '.run'));
  if (existsSync(join(running, 'gateway.json'))) return measure(running, values);

  const runDir = mkdtempSync(join(tmpdir(), 'payment-gateway-bench-'));
  console.log('No system is running; starting one.');
  const system = spawn(process.execPath, [join(ROOT, 'tools', 'start.mjs'), '--no-demo', '--run-dir', runDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(system, 'exit');
  system.stdout.resume();
  try {
    await until(() => existsSync(join(runDir, 'gateway.json')), exited);
    return await measure(runDir, values);
  } finally {
    system.kill('SIGINT');
    await exited;
    rmSync(runDir, { recursive: true, force: true });
  }
}

async function until(condition, exited) {
  let hasExited = false;
  void exited.then(() => (hasExited = true));
  for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline && !condition();) {
    if (hasExited) throw new Error('The system did not start; what it says about it is above.');
    await new Promise((next) => setTimeout(next, 200));
  }
}

async function measure(runDir, { short, growth, json }) {
  const dist = join(ROOT, 'dist', 'apps', 'e2e');
  const child = spawn(
    process.execPath,
    [
      '--enable-source-maps',
      join(dist, 'bench.js'),
      runDir,
      join(dist, 'floor-server.js'),
      ...(short ? ['--short'] : []),
      ...(growth ? ['--growth'] : []),
      ...(json ? ['--json', resolve(json)] : []),
    ],
    { stdio: 'inherit' },
  );
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

process.exitCode = await bench().catch(fail);
