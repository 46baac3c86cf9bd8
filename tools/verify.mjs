#!/usr/bin/env node
import { runTool } from './run-tool.mjs';

runTool('verify', {
  startsServices: true,
  expects: {
    example: 'npm run verify -- --run-dir .run',
    usage: 'Checks the running system.\n  --run-dir FOLDER   folder of the running system, default .run',
    options: { 'run-dir': { type: 'string' } },
  },
});
