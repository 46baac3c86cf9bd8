#!/usr/bin/env node
// npm run histories: compares the reconciler with its model on more random histories than npm test does.
import { requireNode } from './require-node.mjs';

requireNode();
const { spawn } = await import('node:child_process');
const { randomInt } = await import('node:crypto');
const { once } = await import('node:events');
const { join } = await import('node:path');
const { fail, ROOT } = await import('./bootstrap.mjs');
const { readArguments } = await import('./read-arguments.mjs');

const HISTORIES = 'apps/reconciler/test/histories.int.spec.ts';
const RACES = 'apps/reconciler/test/races-of-four.int.spec.ts';

const USAGE = `npm run histories -- [OPTIONS]
A failure is printed with its seed, which repeats it, and reduced to the necessary steps.
  --runs N    number of histories, default 500
  --seed N    seed of the first history, default random
  --races N   N rounds of each race between four replicas instead`;

async function histories() {
  const { values } = readArguments({
    example: 'npm run histories -- --runs 500 --seed 7',
    usage: USAGE,
    options: {
      runs: { type: 'string', default: '500' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      races: { type: 'string' },
    },
    problemOf: ({ values: { runs, seed, races = '1' } }) => {
      if (!/^\d{1,10}$/.test(seed)) return `--seed must be a whole number from 0 to 9999999999, not "${seed}".`;
      const [name, wrong] = Object.entries({ runs, races }).find(([, count]) => !/^[1-9]\d{0,9}$/.test(count)) ?? [];
      return name && `--${name} must be a whole number from 1 to 9999999999, not "${wrong}".`;
    },
  });
  const { runs, seed, races } = values;
  if (races !== undefined) return test(RACES, { RACE_ROUNDS: races });
  console.log(`${runs} histories from seed ${seed}`);
  return test(HISTORIES, { HISTORY_RUNS: runs, HISTORY_SEED: seed });
}

async function test(spec, env) {
  const child = spawn(process.execPath, [join(ROOT, 'tools', 'test.mjs'), '--only=integration', spec], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

process.exitCode = await histories().catch(fail);
