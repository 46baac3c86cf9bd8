#!/usr/bin/env node
// Writes docs/telemetry.md and docs/telemetry.json from the catalogue in libs/runtime; with --check only reports
// whether they are up to date.
import { runTool } from './run-tool.mjs';

runTool('telemetry', {
  projects: ['tools'],
  expects: { example: 'node tools/telemetry.mjs --check', options: { check: { type: 'boolean' } } },
});
