#!/usr/bin/env node
// npm run drill: simulates an incident or a maintenance under load, on a separate system that is deleted afterwards.
import { requireNode } from './require-node.mjs';

requireNode();
const { mkdtempSync, rmSync } = await import('node:fs');
const { tmpdir } = await import('node:os');
const { join } = await import('node:path');
const { fail, runE2e } = await import('./bootstrap.mjs');
const { installAndBuild } = await import('./build.mjs');
const { countProblem, nameProblem, readArguments } = await import('./read-arguments.mjs');
const { serviceNode } = await import('./service-node.mjs');

const DRILLS = ['restore', 'broker-loss', 'rotation'];

const USAGE = `npm run drill -- NAME [OPTIONS]
Exit code 1: something is lost, duplicated or left over.
  restore        loses the data of Postgres and restores all databases to a point in time; prints RPO and RTO
  broker-loss    loses the data of RabbitMQ; its queues are created again, and events published again
  rotation       rotates each kind of secret
  --payments N   payments per phase, default 100
  --short        rotation: all secrets together, in three deployments of each service`;

async function drill() {
  const { values, positionals } = readArguments({
    example: 'npm run drill -- restore --payments 100',
    usage: USAGE,
    allowPositionals: true,
    options: { payments: { type: 'string', default: '100' }, short: { type: 'boolean', default: false } },
    problemOf: ({ values: given, positionals: [drill] }) =>
      nameProblem(drill, DRILLS, 'a drill') ?? countProblem(given, 'payments'),
  });
  const [name] = positionals;
  await installAndBuild(console.log);
  const node = await serviceNode(console.log);
  const folder = mkdtempSync(join(tmpdir(), 'payment-gateway-drill-'));
  try {
    const args = [name, folder, values.payments, ...(values.short ? ['--short'] : [])];
    return await runE2e('drill', args, { node, env: { ...process.env, SERVICE_NODE: node } });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await drill().catch(fail);
