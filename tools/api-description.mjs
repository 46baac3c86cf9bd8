#!/usr/bin/env node
// Writes docs/openapi.json from the operations in libs/contracts; with --check only reports whether it is up to date.
import { runTool } from './run-tool.mjs';

runTool('api-description', {
  projects: ['tools'],
  expects: { example: 'node tools/api-description.mjs --check', options: { check: { type: 'boolean' } } },
});
