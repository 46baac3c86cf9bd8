#!/usr/bin/env node
// npm run page-weight: size of the checkout page, and the time until it is usable on a slow phone.
import { requireNode } from './require-node.mjs';

requireNode();
const { fail, runE2e } = await import('./bootstrap.mjs');
const { readArguments } = await import('./read-arguments.mjs');
const { withSystem } = await import('./with-system.mjs');

const USAGE = `npm run page-weight -- [--run-dir FOLDER]
Measures with a slow connection and a slow phone. Without a running system, starts one.
  --run-dir FOLDER   folder of the running system, default .run`;

async function pageWeight() {
  const { values } = readArguments({
    example: 'npm run page-weight -- --run-dir .run',
    usage: USAGE,
    options: { 'run-dir': { type: 'string' } },
  });
  return withSystem(values['run-dir'], (runDir) => runE2e('page-weight', [runDir]));
}

process.exitCode = await pageWeight().catch(fail);
