import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { npmCommand, ROOT } from './bootstrap.mjs';

const PACKAGE = join(ROOT, 'tools', 'service-node');

/**
 * Path of the Node version of the images, regardless of the developer's version (docs/adr/0020), or SERVICE_NODE. If it
 * cannot be installed and this Node is not older, this one is used.
 */
export async function serviceNode(say) {
  const given = process.env.SERVICE_NODE;
  if (given) return given;
  const name = `node-${process.platform}-${process.arch}`;
  const { optionalDependencies } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
  const version = optionalDependencies[name];
  if (version === undefined || isAtLeast(version)) return process.execPath;
  const folder = join(ROOT, 'node_modules', '.cache', `service-node-${version}`);
  const node = join(folder, 'node_modules', name, 'bin', 'node');
  if (!existsSync(node)) await install(folder, { version, say });
  if (runs(node, version)) return node;
  say(`Node ${version} for the services is not available; they run on ${process.versions.node} instead`);
  return process.execPath;
}

/** Unpacked into a temporary folder first, so that no process finds a partial installation. */
async function install(folder, { version, say }) {
  say(`Installing Node ${version} for the services (from npm, some seconds)`);
  const cache = join(ROOT, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(join(cache, 'installing-'));
  try {
    cpSync(PACKAGE, unfinished, { recursive: true });
    const [program, ...first] = npmCommand();
    const flags = ['ci', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    await new Promise((resolve) => {
      const child = spawn(program, [...first, ...flags], { cwd: unfinished, stdio: ['ignore', 'ignore', 'inherit'] });
      child.once('error', resolve);
      child.once('close', resolve);
    });
    if (!existsSync(folder)) renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function runs(node, version) {
  return spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim() === `v${version}`;
}

function isAtLeast(version) {
  const [major] = version.split('.');
  return Number(process.versions.node.split('.')[0]) >= Number(major);
}
