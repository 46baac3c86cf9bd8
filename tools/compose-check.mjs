#!/usr/bin/env node
import { runTool } from './run-tool.mjs';

const USAGE = `  --image IMAGE  image of the services, as npm run images has named it
  --keep         leaves everything running, and prints how to end it
Environment: POSTGRES_IMAGE, RABBITMQ_IMAGE, EDGE_IMAGE`;

runTool('compose-check', {
  expects: {
    example: 'npm run compose:check -- --image payment-gateway:0.1.0',
    usage: USAGE,
    options: { image: { type: 'string' }, keep: { type: 'boolean' } },
    problemOf: ({ values }) => (values.image === undefined ? '--image is required.' : undefined),
  },
});
