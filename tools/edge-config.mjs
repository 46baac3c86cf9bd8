#!/usr/bin/env node
// Writes deploy/compose/edge/nginx.conf from the public path map in tools/local/routes.ts.
import { requireNode } from './require-node.mjs';

requireNode();
import('./run-tool.mjs').then(({ runTool }) =>
  runTool('edge-config', { projects: ['tools'], expects: { example: 'node tools/edge-config.mjs', options: {} } }),
);
