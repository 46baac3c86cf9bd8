#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { runTool } from './run-tool.mjs';

const hasSchema = (name) => existsSync(new URL(`../apps/${name}/src/db/schema.sql`, import.meta.url));
const problemOf = ({ positionals }) => {
  const unknown = positionals.find((name) => !hasSchema(name));
  return unknown && `"${unknown}" is no service with a schema.`;
};

runTool('schema-dump', {
  expects: { example: 'npm run schema:dump -- reconciler', options: {}, allowPositionals: true, problemOf },
});
