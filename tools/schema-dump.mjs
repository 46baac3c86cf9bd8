#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { requireNode } from './require-node.mjs';

requireNode();

const hasSchema = (name) => existsSync(new URL(`../apps/${name}/src/db/schema.sql`, import.meta.url));
const problemOf = ({ positionals }) => {
  const unknown = positionals.find((name) => !hasSchema(name));
  return unknown && `"${unknown}" is no service with a schema.`;
};

import('./run-tool.mjs').then(({ runTool }) =>
  runTool('schema-dump', {
    expects: { example: 'npm run schema:dump -- reconciler', options: {}, allowPositionals: true, problemOf },
  }),
);
