import { resolve } from 'node:path';

/** The checkout, seen from here and from the bundles in `dist/apps/e2e`, which lie as deep. */
export const REPOSITORY = resolve(__dirname, '..', '..', '..');
