#!/usr/bin/env node
/**
 * Bundles what runs: `node tools/build.mjs [--failpoints] [project folder ...]`, without folders everything.
 * Workspace libraries are bundled in; packages of npm stay outside, because a bundled package cannot be traced.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, ROOT } from './bootstrap.mjs';
import { buildDashboard } from './build-dashboard.mjs';
import { pageText } from './page-text.cjs';

/**
 * Entry points of an app by convention; an app lists others in its package.json under nx.metadata.entries (name: file).
 */
const CONVENTIONAL = ['main', 'migrate', 'seed', 'cli'];
/**
 * Stack traces name our own lines, not those of packages: `--enable-source-maps` reads the map of every file that is
 * loaded, which for all the packages of a service are 30 MB without use. Our own file has been read when its
 * first line runs.
 */
const WITHOUT_MAPS_OF_PACKAGES = {
  banner: { js: "if (process.execArgv.includes('--enable-source-maps')) process.setSourceMapsEnabled(false);" },
  footer: { js: "if (process.execArgv.includes('--enable-source-maps')) process.setSourceMapsEnabled(true);" },
};
const TELEMETRY = join(ROOT, 'libs', 'runtime', 'src', 'telemetry.ts');
const DASHBOARD = join(ROOT, 'apps', 'dashboard-web');
const TOOLS = join(ROOT, 'tools', 'local');
const TOOL_ENTRIES = [
  'start',
  'origin',
  'test-servers',
  'migrate',
  'schema-dump',
  'clean',
  'parked',
  'replay',
  'verify',
  'broker',
  'new-secrets',
  'provision',
  'ready',
  'manifests',
  'play',
  'edge-config',
  'compose-check',
  'cluster',
  'api-description',
  'telemetry',
  'observe',
];

/** Returns how many bundles were written. */
export async function buildAll({ projects = [], failpoints = false } = {}) {
  const { build, stop } = await import('esbuild');
  const outdir = join(ROOT, failpoints ? 'dist-failpoints' : 'dist');
  const wantsDashboard = projects.length === 0 || projects.some((project) => resolve(ROOT, project) === DASHBOARD);
  if (wantsDashboard && !failpoints) await buildDashboard();
  const entries = entryPoints(projects);
  if (entries.length === 0) return 0;
  // Nothing is removed first: services of a running system are restarted from these files.
  await build({
    absWorkingDir: ROOT,
    entryPoints: entries,
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    sourcemap: 'linked',
    // A stack trace needs names and lines. The sources are in the repository, and would double what an image holds of
    // us.
    sourcesContent: false,
    ...WITHOUT_MAPS_OF_PACKAGES,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { __FAILPOINTS__: String(failpoints) },
    plugins: [
      { name: 'pages carry their files', setup: carryPageFiles },
      { name: 'packages stay outside', setup: keepPackagesOutside },
    ],
    logLevel: 'warning',
  }).catch(() => {
    throw new Error('The build failed; see the output of esbuild above.');
  });
  // Its helper process would stay as long as we do.
  await stop();
  return entries.length;
}

function entryPoints(projects) {
  const wanted = projects.map((project) => resolve(ROOT, project));
  const apps = projectsIn('apps').filter((app) => wanted.length === 0 || wanted.includes(app));
  const tools = wanted.length === 0 || wanted.includes(join(ROOT, 'tools')) ? toolEntries() : [];
  return [...apps.flatMap(appEntries), ...tools];
}

function projectsIn(folder) {
  const path = join(ROOT, folder);
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(path, entry.name));
}

function appEntries(app) {
  const out = (name) => join('apps', basename(app), name);
  const conventional = CONVENTIONAL.map((name) => ({ in: join(app, 'src', `${name}.ts`), out: out(name) }));
  const found = [...conventional, ...listedEntries(app, out)].filter((entry) => existsSync(entry.in));
  // A folder with a main.ts is a service. It is started with the telemetry beside it.
  const isService = found.some((entry) => entry.out === out('main'));
  return isService && existsSync(TELEMETRY) ? [...found, { in: TELEMETRY, out: out('telemetry') }] : found;
}

function listedEntries(app, out) {
  const manifest = join(app, 'package.json');
  if (!existsSync(manifest)) return [];
  const listed = JSON.parse(readFileSync(manifest, 'utf8')).nx?.metadata?.entries ?? {};
  return Object.entries(listed).map(([name, file]) => ({ in: join(app, file), out: out(name) }));
}

function toolEntries() {
  return TOOL_ENTRIES.map((name) => ({ in: join(TOOLS, `${name}.ts`), out: join('tools', name) })).filter((entry) =>
    existsSync(entry.in),
  );
}

/**
 * `import script from './main.ts?script'` and `import styles from './page.css'` are the text that a browser is sent.
 */
function carryPageFiles(build) {
  build.onResolve({ filter: /\?script$|\.css$/ }, ({ path, resolveDir }) => ({
    path: resolve(resolveDir, path.replace('?script', '')),
    namespace: 'page file',
  }));
  build.onLoad({ filter: /.*/, namespace: 'page file' }, ({ path }) => ({ contents: pageText(path), loader: 'text' }));
}

/** Everything that is neither a path nor one of our own libraries. */
function keepPackagesOutside(build) {
  build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
    kind === 'entry-point' || path.startsWith('@pay/') ? undefined : { path, external: true },
  );
}

if (process.argv[1] && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  const args = process.argv.slice(2);
  const projects = args.filter((arg) => !arg.startsWith('--'));
  const failpoints = args.includes('--failpoints');
  const started = performance.now();
  const count = await buildAll({ projects, failpoints }).catch(fail);
  console.log(
    `${count} bundles written to dist${failpoints ? '-failpoints' : ''} in ${Math.round(performance.now() - started)} ms`,
  );
}
