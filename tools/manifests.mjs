#!/usr/bin/env node
import { runTool } from './run-tool.mjs';

runTool('manifests', { expects: { example: 'node tools/manifests.mjs', options: {} } });
