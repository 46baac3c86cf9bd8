#!/usr/bin/env node
import { runTool } from './run-tool.mjs';

runTool('broker');
