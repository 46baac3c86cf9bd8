import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './bootstrap.mjs';

const APP = join(ROOT, 'apps', 'dashboard-web');
const CONFIG = join(APP, 'vite.config.mts');
const OUTPUT = join(ROOT, 'dist', 'apps', 'dashboard-web');
const STAMP = join(OUTPUT, 'sources.sha256');

/** Skips the build if the sources have not changed. Returns whether it built. */
export async function buildDashboard() {
  if (!existsSync(CONFIG)) return false;
  const sources = hashOfSources();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) return false;
  const { build } = await import('vite');
  const { NODE_ENV } = process.env;
  // Otherwise a NODE_ENV of the caller would select the development build of React.
  process.env.NODE_ENV = 'production';
  try {
    await build({ configFile: CONFIG, logLevel: 'warn' });
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
  writeFileSync(STAMP, sources);
  return true;
}

/** Hashes the source files, the contracts and the versions of packages. */
function hashOfSources() {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')));
  for (const folder of [APP, join(ROOT, 'libs', 'contracts', 'src')]) {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.includes('.spec.'))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !file.includes('node_modules'));
    for (const file of files.sort()) hash.update(`\0${file.slice(ROOT.length)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}
