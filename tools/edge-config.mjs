#!/usr/bin/env node
// Writes deploy/compose/edge/nginx.conf from the public path map in tools/local/routes.ts.
import { runTool } from './run-tool.mjs';

runTool('edge-config', { projects: ['tools'], expects: { example: 'node tools/edge-config.mjs', options: {} } });
