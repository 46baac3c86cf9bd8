#!/usr/bin/env node
// npm start: the whole system on this machine, and one payment through it. Needs nothing but Node; see README.md.
import { requireNode } from './require-node.mjs';

requireNode();
import('./run-tool.mjs').then(({ runTool }) => runTool('start', { startsServices: true }));
