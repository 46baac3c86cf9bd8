#!/usr/bin/env node
/**
 * Creates the package for merchants and prints the path of the archive. CommonJS with types that needs only Node; the
 * workspace imports the sources.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, ROOT } from './bootstrap.mjs';
import { readArguments } from './read-arguments.mjs';

const LIBRARY = join(ROOT, 'libs', 'signing');

/** The entry point for merchants. It excludes the comparison of secrets, which only our services use. */
const ENTRY = 'webhooks';

export function packSigning(folder = join(ROOT, 'dist', 'packages')) {
  const stage = mkdtempSync(join(tmpdir(), 'pack-signing-'));
  try {
    const options = ['--module', 'nodenext', '--moduleResolution', 'nodenext', '--target', 'es2022', '--lib', 'es2023'];
    const output = ['--declaration', '--rootDir', join(LIBRARY, 'src'), '--outDir', join(stage, 'dist')];
    const strict = ['--strict', '--types', 'node', '--skipLibCheck', '--ignoreConfig'];
    const entry = join(LIBRARY, 'src', `${ENTRY}.ts`);
    run(process.execPath, [
      join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'),
      ...options,
      ...output,
      ...strict,
      entry,
    ]);
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
    copyFileSync(join(LIBRARY, 'README.md'), join(stage, 'README.md'));
    mkdirSync(folder, { recursive: true });
    const [packed] = JSON.parse(
      run('npm', ['pack', '--json', '--offline', '--pack-destination', resolve(folder)], stage),
    );
    return { file: join(folder, packed.filename), files: packed.files.map(({ path }) => path).sort() };
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

function manifest() {
  const { name, version } = JSON.parse(readFileSync(join(LIBRARY, 'package.json'), 'utf8'));
  const [main, types] = [`./dist/${ENTRY}.js`, `./dist/${ENTRY}.d.ts`];
  return {
    name,
    version,
    license: 'UNLICENSED',
    type: 'commonjs',
    engines: { node: '>=18' },
    description: 'Verifies the webhooks of the payment gateway.',
    main,
    types,
    exports: { '.': { types, default: main } },
    files: ['dist'],
    sideEffects: false,
  };
}

function run(program, args, cwd = ROOT) {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

if (process.argv[1] && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  try {
    const { positionals } = readArguments({
      example: 'node tools/pack-signing.mjs ~/webhook-example',
      usage: 'node tools/pack-signing.mjs [folder], default dist/packages',
      allowPositionals: true,
      options: {},
      problemOf: ({ positionals: folders }) => (folders.length > 1 ? 'Name one folder only.' : undefined),
    });
    console.log(packSigning(positionals[0]).file);
  } catch (error) {
    fail(error);
  }
}
