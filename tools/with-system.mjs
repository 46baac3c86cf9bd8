import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ROOT } from './bootstrap.mjs';
import { installAndBuild } from './build.mjs';

const START_TIMEOUT_MS = 300_000;

/** Builds and calls `use` with the run folder. Without a folder it starts a system and deletes it afterwards. */
export async function withSystem(folder, use) {
  await installAndBuild(console.log);
  const running = resolve(folder ?? join(ROOT, '.run'));
  if (existsSync(join(running, 'gateway.json'))) return use(running);

  const runDir = mkdtempSync(join(tmpdir(), 'payment-gateway-'));
  console.log('No system is running; starting one.');
  const system = spawn(process.execPath, [join(ROOT, 'tools', 'start.mjs'), '--no-demo', '--run-dir', runDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(system, 'exit');
  system.stdout.resume();
  try {
    await until(() => existsSync(join(runDir, 'gateway.json')), exited);
    return await use(runDir);
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
    if (hasExited) throw new Error('The system did not start; see its output above.');
    await new Promise((next) => setTimeout(next, 200));
  }
}
