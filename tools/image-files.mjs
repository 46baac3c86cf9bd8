#!/usr/bin/env node
// Copies the bundles of the image with their source maps; all other bundles are for development and tests.
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail } from './bootstrap.mjs';
import { readArguments } from './read-arguments.mjs';

/** Possible programs of an app. */
const APP_PROGRAMS = ['main', 'migrate', 'cli', 'seed'];
const TOOLS = ['broker', 'origin', 'parked', 'provision', 'ready', 'replay'];

/** Pairs of a file in dist and its path below /app. */
export function imageFiles(dist) {
  const apps = readdirSync(join(dist, 'apps')).filter((app) => existsSync(join(dist, 'apps', app, 'main.js')));
  const [first] = apps;
  if (first === undefined) throw new Error(`${dist} holds no service: run node tools/build.mjs first.`);
  return [
    // Equal for all services, because OTEL_SERVICE_NAME contains the name of the service.
    { from: join('apps', first, 'telemetry.js'), to: 'telemetry.js' },
    ...apps.flatMap((app) =>
      APP_PROGRAMS.map((program) => join('apps', app, `${program}.js`))
        .filter((file) => existsSync(join(dist, file)))
        .map((file) => ({ from: file, to: file })),
    ),
    ...pageFiles(dist),
    ...TOOLS.map((tool) => ({ from: join('tools', `${tool}.js`), to: join('tools', `${tool}.js`) })),
  ];
}

function pageFiles(dist) {
  const folder = join('apps', 'dashboard-web');
  return readdirSync(join(dist, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(folder, relative(join(dist, folder), join(entry.parentPath, entry.name))))
    .map((file) => ({ from: file, to: file, hasNoMap: true }));
}

if (process.argv[1] && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  try {
    const { positionals } = readArguments({
      example: 'node tools/image-files.mjs dist /bundles',
      allowPositionals: true,
      options: {},
      problemOf: ({ positionals: folders }) => (folders.length === 2 ? undefined : 'Name dist and the target folder.'),
    });
    const [dist, target] = positionals.map((folder) => resolve(folder));
    for (const { from, to, hasNoMap } of imageFiles(dist)) {
      mkdirSync(dirname(join(target, to)), { recursive: true });
      cpSync(join(dist, from), join(target, to));
      if (!hasNoMap) cpSync(join(dist, `${from}.map`), join(target, `${to}.map`));
    }
  } catch (error) {
    fail(error);
  }
}
