#!/usr/bin/env node
// npm run phone: forwards a simulated day of a shop's phone to a running gateway. Options: npm run phone -- --help
import { requireNode } from './require-node.mjs';

requireNode();
const { join } = await import('node:path');
const { ensureDependencies, fail, ROOT, runToEnd } = await import('./bootstrap.mjs');

async function phone() {
  await ensureDependencies(console.error);
  const { buildAll } = await import('./build.mjs');
  await buildAll({ projects: ['apps/e2e'] });
  const bundle = join(ROOT, 'dist', 'apps', 'e2e', 'phone.js');
  return runToEnd(process.execPath, ['--enable-source-maps', bundle, ...process.argv.slice(2)]);
}

process.exitCode = await phone().catch(fail);
