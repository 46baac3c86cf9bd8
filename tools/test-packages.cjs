const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync } = require('node:fs');
const { join } = require('node:path');

const ROOT = join(__dirname, '..');

/** What stays outside of each: what it shares with others, and what it can do without. */
const PACKAGES = {
  typeorm: { packages: 'external' },
  zod: {},
  undici: {},
  express: {},
  pg: { external: ['pg-native', 'pg-cloudflare'] },
  jsonwebtoken: {},
  'prom-client': { external: ['@opentelemetry/api'] },
  'fast-check': {},
};

/**
 * Packages of many files, each in one, for jest's moduleNameMapper. Jest loads every module anew for every spec file, which costs by the
 * file and not by its length, and typeorm alone has hundreds.
 */
function testPackages() {
  const folder = join(ROOT, 'node_modules', '.cache', 'test-packages', versions());
  mkdirSync(folder, { recursive: true });
  const files = Object.entries(PACKAGES).map(([name, options]) => [`^${name}$`, bundled(folder, name, options)]);
  return Object.fromEntries(files);
}

function bundled(folder, name, options) {
  const file = join(folder, `${name}.cjs`);
  if (existsSync(file)) return file;
  // Several may begin at once.
  const draft = `${file}.${process.pid}`;
  require('esbuild').buildSync({
    ...{ entryPoints: [require.resolve(name)], outfile: draft, bundle: true },
    ...{ platform: 'node', format: 'cjs', keepNames: true, logLevel: 'error', ...options },
  });
  renameSync(draft, file);
  return file;
}

function versions() {
  const hash = createHash('sha256');
  for (const file of [join(ROOT, 'package-lock.json'), __filename]) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

module.exports = { testPackages };
