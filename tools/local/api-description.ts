/** `node tools/api-description.mjs [--check]`: docs/openapi.json, generated from the operations. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeApi, documentText } from '@pay/api-description';
import { OPERATIONS } from '@pay/contracts';
import { ROOT } from './arguments';

const FILE = join('docs', 'openapi.json');

const path = join(ROOT, FILE);
const text = documentText(describeApi(OPERATIONS));
if (!process.argv.includes('--check')) {
  writeFileSync(path, text);
  console.log(`${FILE} is written`);
} else if (readFileSync(path, 'utf8') === text) {
  console.log(`${FILE} is up to date`);
} else {
  console.error(`${FILE} is outdated: run node tools/api-description.mjs`);
  process.exit(1);
}
