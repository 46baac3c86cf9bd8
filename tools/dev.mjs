#!/usr/bin/env node
// npm run dev -- <app>: rebuilds a service of the running system on every change and restarts it.
import { requireNode } from './require-node.mjs';

requireNode();
import('./dev-loop.mjs').then(({ develop }) => develop(process.argv.slice(2)));
