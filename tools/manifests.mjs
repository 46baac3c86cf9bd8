#!/usr/bin/env node
import { requireNode } from './require-node.mjs';

requireNode();
import('./run-tool.mjs').then(({ runTool }) =>
  runTool('manifests', { expects: { example: 'node tools/manifests.mjs', options: {} } }),
);
