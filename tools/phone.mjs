#!/usr/bin/env node
// npm run phone: forwards a simulated day of a shop's phone to a running gateway. Options: npm run phone -- --help
import { requireNode } from './require-node.mjs';

requireNode();
const { spawn } = await import('node:child_process');
const { once } = await import('node:events');
const { join } = await import('node:path');
const { ensureDependencies, fail, ROOT } = await import('./bootstrap.mjs');

async function phone() {
  await ensureDependencies(console.error);
  const { buildAll } = await import('./build.mjs');
  await buildAll({ projects: ['apps/e2e'] });
  const bundle = join(ROOT, 'dist', 'apps', 'e2e', 'phone.js');
  const child = spawn(process.execPath, ['--enable-source-maps', bundle, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

process.exitCode = await phone().catch(fail);
