#!/usr/bin/env node
import { requireNode } from './require-node.mjs';

requireNode();
import('./run-tool.mjs').then(({ runTool }) =>
  runTool('migrate', { expects: { example: 'npm run migrate', options: {} } }),
);
