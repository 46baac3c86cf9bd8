#!/usr/bin/env node
/**
 * npm run upgrade -- --from COMMIT: a rolling upgrade under load. The services of that commit run on the current schema while payments are
 * played. One after the other is replaced by the current version, then back, then again in the opposite order. Ends with 1 when a payment was
 * lost or doubled, or when anything is left over.
 *   --from COMMIT      the version that runs before (needs the history of git)
 *   --payments 30      payments that are played with each mix of versions
 *   --accept-unsigned  the version before does not sign its events
 */
import { requireNode } from './require-node.mjs';

requireNode();
const { execFileSync, spawn } = await import('node:child_process');
const { once } = await import('node:events');
const { mkdtempSync, rmSync } = await import('node:fs');
const { tmpdir } = await import('node:os');
const { join } = await import('node:path');
const { parseArgs } = await import('node:util');
const { ensureDependencies, fail, npmCommand, ROOT } = await import('./bootstrap.mjs');
const { buildAll } = await import('./build.mjs');
const { serviceNode } = await import('./service-node.mjs');

async function upgrade() {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      payments: { type: 'string', default: '30' },
      'accept-unsigned': { type: 'boolean', default: false },
    },
  });
  if (values.from === undefined || !/^[1-9]\d{0,4}$/.test(values.payments)) {
    throw new Error('npm run upgrade -- --from COMMIT [--payments NUMBER] [--accept-unsigned]');
  }
  await ensureDependencies(console.log);
  await buildAll();
  const folder = mkdtempSync(join(tmpdir(), 'payment-gateway-upgrade-'));
  const before = join(folder, 'before');
  try {
    checkOut(values.from, before);
    const child = spawn(
      await serviceNode(console.log),
      [
        '--enable-source-maps',
        join(ROOT, 'dist', 'apps', 'e2e', 'upgrade.js'),
        ...[join(folder, 'run'), before, ROOT, values.payments],
        ...(values['accept-unsigned'] ? ['--accept-unsigned'] : []),
      ],
      { stdio: 'inherit' },
    );
    const [code] = await once(child, 'exit');
    return code ?? 1;
  } finally {
    git('worktree', 'remove', '--force', before);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The version before, with its own packages, built by its own tool. */
function checkOut(commit, folder) {
  console.log(`Preparing ${commit}: packages and build`);
  git('worktree', 'add', '--detach', folder, commit);
  const [program, ...first] = npmCommand();
  execFileSync(program, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
  });
  execFileSync(process.execPath, [join(folder, 'tools', 'build.mjs')], { cwd: folder, stdio: 'inherit' });
}

function git(...args) {
  execFileSync('git', args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
}

process.exitCode = await upgrade().catch(fail);
