#!/usr/bin/env node
// npm run bench: benchmarks of the running system, or of a new one that is deleted afterwards.
import { requireNode } from './require-node.mjs';

requireNode();
const { join, resolve } = await import('node:path');
const { fail, ROOT, runE2e, testSpecs } = await import('./bootstrap.mjs');
const { readArguments } = await import('./read-arguments.mjs');
const { serviceNode } = await import('./service-node.mjs');
const { withSystem } = await import('./with-system.mjs');

const USAGE = `npm run bench -- [OPTIONS]
Without a running system, starts one and deletes it afterwards. Without an option, all parts are measured.
  --short          seconds instead of minutes
  --payments       complete payments per second
  --growth         a merchant with a million intents
  --intake         SMS intake
  --checkout       checkout pages and their streams
  --webhooks       webhook-dispatcher
  --decisions      reconciler
  --lists NAMES    lists of the dashboard with a million rows: sms, payments, exceptions, deliveries, audit-log
  --dashboards N   complete payments per second without and with N open dashboards
  --retention      pages and time of deletion over 365 simulated days, on databases of the integration tests
  --json FILE      writes the results to a file
  --run-dir FOLDER folder of the running system, default .run`;

async function bench() {
  const { values } = readArguments({
    example: 'npm run bench -- --short --json figures.json',
    usage: USAGE,
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
  const { 'run-dir': folder, ...options } = values;
  return withSystem(folder, (runDir) => measure(runDir, options));
}

/** Runs on databases of the integration tests, without services. */
async function retention() {
  const specs = [
    'libs/messaging/test/retention.int.spec.ts',
    'apps/webhook-dispatcher/test/retention.int.spec.ts',
    'apps/intent-api/test/retention-cost.int.spec.ts',
    'apps/reconciler/test/retention-cost.int.spec.ts',
  ];
  return testSpecs(specs, { RETENTION_BENCH: '1' });
}

async function measure(runDir, { json, ...options }) {
  const floorServer = join(ROOT, 'dist', 'apps', 'e2e', 'floor-server.js');
  const given = Object.entries({ ...options, json: json && resolve(json) }).filter(([, value]) => value);
  const args = given.flatMap(([name, value]) => (value === true ? [`--${name}`] : [`--${name}`, value]));
  // The floors use this Node too, because compared programs must run on the same version.
  return runE2e('bench', [runDir, floorServer, ...args], { node: await serviceNode(console.log) });
}

process.exitCode = await bench().catch(fail);
