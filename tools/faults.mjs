#!/usr/bin/env node
/**
 * npm run faults -- dispatcher [--kills 100]: the fault test of a service, for longer than npm test has time for. Prints what was sent, repeated
 * and unexplained; ends with 1 when anything is.
 */
import { requireNode } from './require-node.mjs';

requireNode();
const { spawn } = await import('node:child_process');
const { once } = await import('node:events');
const { join } = await import('node:path');
const { parseArgs } = await import('node:util');
const { fail, ROOT } = await import('./bootstrap.mjs');

const SPECS = { dispatcher: 'apps/webhook-dispatcher/test/killed-dispatchers.int.spec.ts' };

async function faults() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { kills: { type: 'string', default: '100' } },
  });
  const spec = SPECS[positionals[0]];
  if (spec === undefined || !/^[1-9]\d{0,3}$/.test(values.kills)) {
    throw new Error(`npm run faults -- ${Object.keys(SPECS).join(' | ')} [--kills 1..9999]`);
  }
  const child = spawn(process.execPath, [join(ROOT, 'tools', 'test.mjs'), '--only=integration', spec], {
    cwd: ROOT,
    env: { ...process.env, FAULT_KILLS: values.kills },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

process.exitCode = await faults().catch(fail);
