#!/usr/bin/env node
// npm test: everything a change must pass, alone on a fresh clone. See CONTRIBUTING.md.
import { requireNode } from './require-node.mjs';

requireNode();
import('./test-run.mjs').then(({ runTests }) => runTests(process.argv.slice(2)));
