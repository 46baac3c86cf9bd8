#!/usr/bin/env node
/**
 * npm run faults -- FAULT: a fault test for longer than npm test has time for. Prints its figures; ends with 1 when they are not what is promised.
 *   dispatcher [--kills 100]  webhook-dispatcher is killed under load: what was sent, repeated and unexplained
 *   hanging [--events 3000]   an endpoint that hangs has half of the traffic: what the other one waits for its first attempts
 *   outage                    an endpoint is down for ten real minutes: when its backlog has arrived
 */
import { requireNode } from './require-node.mjs';

requireNode();
const { spawn } = await import('node:child_process');
const { once } = await import('node:events');
const { join } = await import('node:path');
const { parseArgs } = await import('node:util');
const { fail, ROOT } = await import('./bootstrap.mjs');

const TESTS = 'apps/webhook-dispatcher/test';
const FAULTS = {
  dispatcher: { spec: `${TESTS}/killed-dispatchers.int.spec.ts`, settings: ({ kills }) => ({ FAULT_KILLS: kills }) },
  hanging: { spec: `${TESTS}/hanging-endpoint.int.spec.ts`, settings: ({ events }) => ({ FAULT_EVENTS: events }) },
  outage: { spec: `${TESTS}/outage.int.spec.ts`, settings: () => ({ FAULT_TIME_SCALE: '1' }) },
};
const isCount = (text) => /^[1-9]\d{0,4}$/.test(text);

async function faults() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { kills: { type: 'string', default: '100' }, events: { type: 'string', default: '3000' } },
  });
  const fault = FAULTS[positionals[0]];
  if (fault === undefined || !isCount(values.kills) || !isCount(values.events)) {
    throw new Error(`npm run faults -- ${Object.keys(FAULTS).join(' | ')} [--kills NUMBER] [--events NUMBER]`);
  }
  const child = spawn(process.execPath, [join(ROOT, 'tools', 'test.mjs'), '--only=integration', fault.spec], {
    cwd: ROOT,
    env: { ...process.env, ...fault.settings(values) },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

process.exitCode = await faults().catch(fail);
