#!/usr/bin/env node
import { requireNode } from './require-node.mjs';

requireNode();
import('./run-tool.mjs').then(({ runTool }) =>
  runTool('compose-check', {
    expects: {
      example: 'npm run compose:check -- --image payment-gateway:0.1.0',
      usage:
        '  --image IMAGE  image of the services\n  --keep         leaves everything running, and prints how to end it',
      options: { image: { type: 'string' }, keep: { type: 'boolean' } },
      problemOf: ({ values }) => (values.image === undefined ? '--image is required.' : undefined),
    },
  }),
);
