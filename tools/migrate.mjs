#!/usr/bin/env node
import { runTool } from './run-tool.mjs';

runTool('migrate', { expects: { example: 'npm run migrate', options: {} } });
