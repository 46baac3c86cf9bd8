#!/usr/bin/env node
// A real Prometheus with our rules on the running local system: does every dashboard query return data?
import { requireNode } from './require-node.mjs';

requireNode();
import('./run-tool.mjs').then(({ runTool }) => runTool('observe', { projects: ['tools'] }));
