#!/usr/bin/env node
// npm run images: builds the image of all services, prints its size and starts each of its programs once; see
// deploy/README.md.
import { requireNode } from './require-node.mjs';

requireNode();
import('./images/command.mjs').then(({ imagesCommand }) => imagesCommand(process.argv.slice(2)));
