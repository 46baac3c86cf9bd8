#!/usr/bin/env node
// npm run clean: deletes data, secrets and logs of `npm start`.
import { runTool } from './run-tool.mjs';

runTool('clean', { projects: ['tools'], expects: { example: 'npm run clean', options: {} } });
