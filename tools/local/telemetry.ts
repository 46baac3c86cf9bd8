/** `node tools/telemetry.mjs [--check]`: docs/telemetry.md and docs/telemetry.json, generated from the catalogue. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { telemetryFile, telemetryPage } from '@pay/runtime';
import { ROOT } from './arguments';

const files = { 'docs/telemetry.md': telemetryPage(), 'docs/telemetry.json': telemetryFile() };
for (const [file, text] of Object.entries(files)) {
  const path = join(ROOT, file);
  if (!process.argv.includes('--check')) {
    writeFileSync(path, text);
    console.log(`${file} is written`);
  } else if (readFileSync(path, 'utf8') === text) {
    console.log(`${file} is up to date`);
  } else {
    console.error(`${file} is outdated: run node tools/telemetry.mjs`);
    process.exitCode = 1;
  }
}
