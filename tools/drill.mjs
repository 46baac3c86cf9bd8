#!/usr/bin/env node
/**
 * npm run drill -- NAME: plays an accident or a maintenance, under load, on its own system: its own Postgres,
 * RabbitMQ and services on loopback, forgotten afterwards. Prints what was seen; ends with 1 when something is lost,
 * duplicated or left over.
 *   restore      a backup is taken, the data folder of Postgres is lost, all databases are restored to a point in time:
 *                RPO and RTO
 *   broker-loss  RabbitMQ loses everything that it stores; its queues are made again, and events published again
 *   rotation     each kind of secret is rotated: failed requests, lost and duplicated payments
 *   --payments 100   payments that are played in each phase
 *   --short          rotation of all secrets together, in three deployments of each service
 */
import { requireNode } from './require-node.mjs';

requireNode();
const { spawn } = await import('node:child_process');
const { once } = await import('node:events');
const { mkdtempSync, rmSync } = await import('node:fs');
const { tmpdir } = await import('node:os');
const { join } = await import('node:path');
const { ensureDependencies, fail, ROOT } = await import('./bootstrap.mjs');
const { countProblem, nameProblem, readArguments } = await import('./read-arguments.mjs');
const { serviceNode } = await import('./service-node.mjs');

const DRILLS = ['restore', 'broker-loss', 'rotation'];

async function drill() {
  const { values, positionals } = readArguments({
    example: 'npm run drill -- restore --payments 100',
    allowPositionals: true,
    options: { payments: { type: 'string', default: '100' }, short: { type: 'boolean', default: false } },
    problemOf: ({ values: given, positionals: [drill] }) =>
      nameProblem(drill, DRILLS, 'a drill') ?? countProblem(given, 'payments'),
  });
  const [name] = positionals;
  await ensureDependencies(console.log);
  const { buildAll } = await import('./build.mjs');
  await buildAll();
  const node = await serviceNode(console.log);
  const folder = mkdtempSync(join(tmpdir(), 'payment-gateway-drill-'));
  try {
    const program = join(ROOT, 'dist', 'apps', 'e2e', 'drill.js');
    const child = spawn(
      node,
      ['--enable-source-maps', program, name, folder, values.payments, ...(values.short ? ['--short'] : [])],
      {
        env: { ...process.env, SERVICE_NODE: node },
        stdio: 'inherit',
      },
    );
    const [code] = await once(child, 'exit');
    return code ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await drill().catch(fail);
