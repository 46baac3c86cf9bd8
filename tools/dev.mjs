#!/usr/bin/env node
// npm run dev -- <app>: while `npm start` runs, rebuilds one service on every change and lets the new bundle take its
// place.
import { requireNode } from './require-node.mjs';

requireNode();
import('./dev-loop.mjs').then(({ develop }) => develop(process.argv.slice(2)));
