#!/usr/bin/env node
// npm run page-weight: size of the checkout page, and the time until it is usable on a slow phone.
import { requireNode } from './require-node.mjs';

requireNode();
const { spawn } = await import('node:child_process');
const { once } = await import('node:events');
const { join } = await import('node:path');
const { fail, ROOT } = await import('./bootstrap.mjs');
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
  return withSystem(values['run-dir'], async (runDir) => {
    const program = join(ROOT, 'dist', 'apps', 'e2e', 'page-weight.js');
    const [code] = await once(spawn(process.execPath, [program, runDir], { stdio: 'inherit' }), 'exit');
    return code ?? 1;
  });
}

process.exitCode = await pageWeight().catch(fail);
