#!/usr/bin/env node
// npm run faults: repeats the fault tests of npm test for longer, and prints figures.
import { requireNode } from './require-node.mjs';

requireNode();
const { fail, testSpecs } = await import('./bootstrap.mjs');
const { countProblem, nameProblem, readArguments } = await import('./read-arguments.mjs');

const TESTS = 'apps/webhook-dispatcher/test';
const FAULTS = {
  dispatcher: { spec: `${TESTS}/killed-dispatchers.int.spec.ts`, settings: ({ kills }) => ({ FAULT_KILLS: kills }) },
  hanging: { spec: `${TESTS}/hanging-endpoint.int.spec.ts`, settings: ({ events }) => ({ FAULT_EVENTS: events }) },
  outage: { spec: `${TESTS}/outage.int.spec.ts`, settings: () => ({ FAULT_TIME_SCALE: '1' }) },
};

const USAGE = `npm run faults -- FAULT [OPTIONS]
Exit code 1: a goal is missed.
  dispatcher   kills webhook-dispatcher under load; prints sent, repeated and unexplained requests
               --kills N, default 100
  hanging      sends half of the traffic to an endpoint that hangs; prints the delay of first attempts to another one
               --events N, default 3000
  outage       stops an endpoint for ten minutes; prints when its backlog has arrived`;

async function faults() {
  const { values, positionals } = readArguments({
    example: 'npm run faults -- dispatcher --kills 100',
    usage: USAGE,
    allowPositionals: true,
    options: { kills: { type: 'string', default: '100' }, events: { type: 'string', default: '3000' } },
    problemOf: ({ values: given, positionals: [name] }) =>
      nameProblem(name, Object.keys(FAULTS), 'a fault') ?? countProblem(given, 'kills', 'events'),
  });
  const fault = FAULTS[positionals[0]];
  return testSpecs([fault.spec], fault.settings(values));
}

process.exitCode = await faults().catch(fail);
