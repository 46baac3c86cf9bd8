#!/usr/bin/env node
// npm run histories: compares the reconciler with its model on more random histories than npm test does.
import { requireNode } from './require-node.mjs';

requireNode();
const { randomInt } = await import('node:crypto');
const { fail, testSpecs } = await import('./bootstrap.mjs');
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
  if (races !== undefined) return testSpecs([RACES], { RACE_ROUNDS: races });
  console.log(`${runs} histories from seed ${seed}`);
  return testSpecs([HISTORIES], { HISTORY_RUNS: runs, HISTORY_SEED: seed });
}

process.exitCode = await histories().catch(fail);
