#!/usr/bin/env node
// npm run phone: forwards a simulated day of a shop's phone to a running gateway. Options: npm run phone -- --help
import { requireNode } from './require-node.mjs';

requireNode();
const { fail, runE2e } = await import('./bootstrap.mjs');
const { installAndBuild } = await import('./build.mjs');

async function phone() {
  await installAndBuild(console.error, ['apps/e2e']);
  return runE2e('phone', process.argv.slice(2));
}

process.exitCode = await phone().catch(fail);
