#!/usr/bin/env node
/**
 * npm run bench: figures of the running system; without one, of a fresh system that is started for the purpose and
 * forgotten afterwards. Options: --short (seconds instead of minutes), --payments (only whole payments per second),
 * --growth (only those of a merchant with very many intents), --intake (only those of SMS intake), --checkout (only
 * those of checkout), --webhooks (only those of webhook-dispatcher), --decisions (only those of reconciler),
 * --lists sms,exceptions,deliveries,audit-log (only the dashboard's lists with a million rows: some of them, or all),
 * --dashboards N (only whole payments per second without and with N open dashboards, in turn),
 * --retention (only retention: pages and time of sweeps, and of requests beside them, over 365 daily turnovers), --json
 * FILE (figures for comparison), --run-dir FOLDER (of a running system).
 */
import { requireNode } from './require-node.mjs';

requireNode();
const { spawn } = await import('node:child_process');
const { once } = await import('node:events');
const { join, resolve } = await import('node:path');
const { fail, ROOT } = await import('./bootstrap.mjs');
const { readArguments } = await import('./read-arguments.mjs');
const { serviceNode } = await import('./service-node.mjs');
const { withSystem } = await import('./with-system.mjs');

async function bench() {
  const { values } = readArguments({
    example: 'npm run bench -- --short --json figures.json',
    options: {
      short: { type: 'boolean' },
      payments: { type: 'boolean' },
      growth: { type: 'boolean' },
      intake: { type: 'boolean' },
      checkout: { type: 'boolean' },
      webhooks: { type: 'boolean' },
      decisions: { type: 'boolean' },
      lists: { type: 'string' },
      dashboards: { type: 'string' },
      retention: { type: 'boolean' },
      json: { type: 'string' },
      'run-dir': { type: 'string' },
    },
  });
  if (values.retention) return retention();
  return withSystem(values['run-dir'], (runDir) => measure(runDir, values));
}

/** On databases of the integration tests: no service takes part. */
async function retention() {
  const specs = [
    'libs/messaging/test/retention.int.spec.ts',
    'apps/webhook-dispatcher/test/retention.int.spec.ts',
    'apps/intent-api/test/retention-cost.int.spec.ts',
    'apps/reconciler/test/retention-cost.int.spec.ts',
  ];
  const child = spawn(process.execPath, [join(ROOT, 'tools', 'test.mjs'), '--only=integration', ...specs], {
    cwd: ROOT,
    env: { ...process.env, RETENTION_BENCH: '1' },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

async function measure(
  runDir,
  { short, payments, growth, intake, checkout, webhooks, decisions, lists, dashboards, json },
) {
  const dist = join(ROOT, 'dist', 'apps', 'e2e');
  // The floors too, because compared programs must run on the same version of Node.
  const child = spawn(
    await serviceNode(console.log),
    [
      '--enable-source-maps',
      join(dist, 'bench.js'),
      runDir,
      join(dist, 'floor-server.js'),
      ...(short ? ['--short'] : []),
      ...(payments ? ['--payments'] : []),
      ...(growth ? ['--growth'] : []),
      ...(intake ? ['--intake'] : []),
      ...(checkout ? ['--checkout'] : []),
      ...(webhooks ? ['--webhooks'] : []),
      ...(decisions ? ['--decisions'] : []),
      ...(lists ? ['--lists', lists] : []),
      ...(dashboards ? ['--dashboards', dashboards] : []),
      ...(json ? ['--json', resolve(json)] : []),
    ],
    { stdio: 'inherit' },
  );
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

process.exitCode = await bench().catch(fail);
