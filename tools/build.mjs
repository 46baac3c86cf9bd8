#!/usr/bin/env node
// Workspace libraries are bundled; packages of npm are not, because a bundled package cannot be traced.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureDependencies, fail, ROOT } from './bootstrap.mjs';
import { buildDashboard } from './build-dashboard.mjs';
import { pageText } from './page-text.cjs';
import { readArguments } from './read-arguments.mjs';

/**
 * Conventional entry points of an app. An app lists others in its package.json under nx.metadata.entries (name: file).
 */
const CONVENTIONAL = ['main', 'migrate', 'seed', 'cli'];
/**
 * `--enable-source-maps` reads the maps of all loaded files, 30 MB for the packages of a service. This code disables it
 * after our own bundle was loaded, so that its lines are still mapped.
 */
const WITHOUT_MAPS_OF_PACKAGES = {
  banner: { js: "if (process.execArgv.includes('--enable-source-maps')) process.setSourceMapsEnabled(false);" },
  footer: { js: "if (process.execArgv.includes('--enable-source-maps')) process.setSourceMapsEnabled(true);" },
};
const TELEMETRY = join(ROOT, 'libs', 'runtime', 'src', 'telemetry.ts');
const DASHBOARD = join(ROOT, 'apps', 'dashboard-web');
const TOOLS = join(ROOT, 'tools', 'local');
/** Programs that no command of the same name starts. */
const OTHER_TOOLS = ['origin', 'test-servers', 'provision', 'ready', 'play'];

/** Installs packages and builds these projects, by default all. */
export async function installAndBuild(say, projects) {
  await ensureDependencies(say);
  await buildAll({ projects });
}

/** Returns the number of bundles. */
export async function buildAll({ projects = [], failpoints = false } = {}) {
  const { build, stop } = await import('esbuild');
  const outdir = join(ROOT, failpoints ? 'dist-failpoints' : 'dist');
  const wantsDashboard = projects.length === 0 || projects.some((project) => resolve(ROOT, project) === DASHBOARD);
  if (wantsDashboard && !failpoints) await buildDashboard();
  const entries = entryPoints(projects);
  if (entries.length === 0) return 0;
  // Existing files stay, because services of a running system may be restarted from them.
  await build({
    absWorkingDir: ROOT,
    entryPoints: entries,
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    sourcemap: 'linked',
    // Stack traces need only names and lines. Embedded sources would double the size of our files in the image.
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
  // The helper process of esbuild would otherwise keep this process alive.
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
  // A folder with a main.ts is a service and gets the telemetry bundle too.
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
  const commands = readdirSync(join(ROOT, 'tools')).flatMap((file) => /^(.+)\.mjs$/.exec(file)?.[1] ?? []);
  return [...commands, ...OTHER_TOOLS]
    .map((name) => ({ in: join(TOOLS, `${name}.ts`), out: join('tools', name) }))
    .filter((entry) => existsSync(entry.in));
}

/** Imports `./main.ts?script` and `./page.css` as text for the browser. */
function carryPageFiles(build) {
  build.onResolve({ filter: /\?script$|\.css$/ }, ({ path, resolveDir }) => ({
    path: resolve(resolveDir, path.replace('?script', '')),
    namespace: 'page file',
  }));
  build.onLoad({ filter: /.*/, namespace: 'page file' }, ({ path }) => ({ contents: pageText(path), loader: 'text' }));
}

/** Excludes everything except relative paths and workspace libraries from bundles. */
function keepPackagesOutside(build) {
  build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
    kind === 'entry-point' || path.startsWith('@pay/') ? undefined : { path, external: true },
  );
}

if (process.argv[1] && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  try {
    const { values, positionals } = readArguments({
      example: 'node tools/build.mjs apps/reconciler',
      usage: `node tools/build.mjs [--failpoints] [project folder ...], default all projects
  --failpoints   into dist-failpoints, with points at which tests end a process`,
      allowPositionals: true,
      options: { failpoints: { type: 'boolean', default: false } },
      problemOf: ({ positionals: folders }) => {
        const unknown = folders.find((folder) => !existsSync(resolve(ROOT, folder)));
        return unknown && `The folder ${unknown} does not exist.`;
      },
    });
    const started = performance.now();
    const count = await buildAll({ projects: positionals, failpoints: values.failpoints });
    const folder = values.failpoints ? 'dist-failpoints' : 'dist';
    console.log(`${count} bundles written to ${folder} in ${Math.round(performance.now() - started)} ms`);
  } catch (error) {
    fail(error);
  }
}
