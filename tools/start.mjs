#!/usr/bin/env node
// npm start: runs the complete system on this machine, and plays one payment. Needs only Node; see README.md.
import { requireNode } from './require-node.mjs';

requireNode();
import('./run-tool.mjs').then(({ runTool }) => runTool('start', { startsServices: true }));
