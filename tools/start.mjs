#!/usr/bin/env node
// npm start: runs the complete system on this machine, and plays one payment. Needs only Node; see README.md.
import { runTool } from './run-tool.mjs';

runTool('start', { startsServices: true });
