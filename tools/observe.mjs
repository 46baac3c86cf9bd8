#!/usr/bin/env node
// Runs a real Prometheus with our rules on the running local system, and checks that every dashboard query returns
// data.
import { requireNode } from './require-node.mjs';

requireNode();
import('./run-tool.mjs').then(({ runTool }) => runTool('observe', { projects: ['tools'] }));
