#!/usr/bin/env node
// npm run clean: deletes data, secrets and logs of `npm start`.
import { requireNode } from './require-node.mjs';

requireNode();
import('./run-tool.mjs').then(({ runTool }) =>
  runTool('clean', { projects: ['tools'], expects: { example: 'npm run clean', options: {} } }),
);
