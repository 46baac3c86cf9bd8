#!/usr/bin/env node
// npm run upgrade: a rolling upgrade from an earlier version, under load.
import { requireNode } from './require-node.mjs';

requireNode();
const { spawnSync } = await import('node:child_process');
const { mkdtempSync, rmSync } = await import('node:fs');
const { tmpdir } = await import('node:os');
const { join } = await import('node:path');
const { fail, npmCommand, ROOT, runE2e, runSuccessfully } = await import('./bootstrap.mjs');
const { installAndBuild } = await import('./build.mjs');
const { countProblem, readArguments } = await import('./read-arguments.mjs');
const { serviceNode } = await import('./service-node.mjs');

const USAGE = `npm run upgrade -- --from COMMIT [--payments N]
Replaces each service of COMMIT by the current version under load, then back, then again in the opposite order.
Exit code 1: a payment was lost or duplicated, or a message or a pending row is left.
  --from COMMIT   the earlier version, 9eb96aa1 or later (ADR 0053); requires the Git history
  --payments N    payments per mix of versions, default 30`;

async function upgrade() {
  const { values } = readArguments({
    example: 'npm run upgrade -- --from 9eb96aa1 --payments 30',
    usage: USAGE,
    options: {
      from: { type: 'string' },
      payments: { type: 'string', default: '30' },
    },
    problemOf: ({ values: given }) => commitProblem(given.from) ?? countProblem(given, 'payments'),
  });
  await installAndBuild(console.log);
  const node = await serviceNode(console.log);
  const folder = mkdtempSync(join(tmpdir(), 'payment-gateway-upgrade-'));
  const before = join(folder, 'before');
  try {
    await checkOut(values.from, before);
    return await runE2e('upgrade', [join(folder, 'run'), before, ROOT, values.payments], { node });
  } finally {
    // Fails if the checkout was not created.
    git('worktree', 'remove', '--force', before);
    rmSync(folder, { recursive: true, force: true });
  }
}

function commitProblem(commit) {
  if (commit === undefined) return '--from is required: the commit of the earlier version.';
  if (git('rev-parse', '--verify', '--end-of-options', `${commit}^{commit}`).status === 0) return undefined;
  return `--from must be a commit that Git knows here, not "${commit}".`;
}

/** The earlier version with its own packages, built by its own tool. */
async function checkOut(commit, folder) {
  console.log(`Preparing ${commit}: packages and build`);
  await runSuccessfully('git', ['worktree', 'add', '--quiet', '--detach', folder, commit], { cwd: ROOT });
  const [program, ...first] = npmCommand();
  const options = { cwd: folder };
  await runSuccessfully(program, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], options);
  await runSuccessfully(process.execPath, [join(folder, 'tools', 'build.mjs')], options);
}

function git(...args) {
  return spawnSync('git', args, { cwd: ROOT, stdio: 'ignore' });
}

process.exitCode = await upgrade().catch(fail);
