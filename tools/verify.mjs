#!/usr/bin/env node
import { requireNode } from './require-node.mjs';

requireNode();
import('./run-tool.mjs').then(({ runTool }) =>
  runTool('verify', {
    startsServices: true,
    expects: {
      example: 'npm run verify -- --run-dir .run',
      usage: 'Checks the running system.\n  --run-dir FOLDER   folder of the running system, default .run',
      options: { 'run-dir': { type: 'string' } },
    },
  }),
);
