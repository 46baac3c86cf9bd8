#!/usr/bin/env node
// Runs a real Prometheus with our rules on the running local system, and checks that every dashboard query returns
// data.
import { runTool } from './run-tool.mjs';

runTool('observe', {
  projects: ['tools'],
  expects: {
    example: 'node tools/observe.mjs --run-dir .run',
    usage: '--run-dir FOLDER   folder of the running system, default .run',
    options: { 'run-dir': { type: 'string' } },
  },
});
