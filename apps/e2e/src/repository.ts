import { resolve } from 'node:path';

/** Works for this file and for bundles in `dist/apps/e2e`, which have the same depth. */
export const REPOSITORY = resolve(__dirname, '..', '..', '..');
