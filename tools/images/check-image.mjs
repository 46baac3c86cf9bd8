import { spawnSync } from 'node:child_process';
import { docker } from './docker.mjs';

const MEGABYTE = 1_000_000;
/** Bytes, unpacked. */
export const LARGEST_IMAGE = 215 * MEGABYTE;

/** Total size, and the size of each layer with its instruction. */
export function weigh(image) {
  const layers = docker(['history', '--no-trunc', '--human=false', '--format', '{{.Size}}\t{{.CreatedBy}}', image])
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([size, instruction]) => ({
      size: Number(size),
      instruction: instruction.replace(/^\/bin\/sh -c #\(nop\) /, ''),
    }))
    .filter(({ size }) => size > 0)
    .reverse();
  return { total: layers.reduce((sum, { size }) => sum + size, 0), layers };
}

export function megabytes(size) {
  return `${(size / MEGABYTE).toFixed(1)} MB`;
}

/** Derived from the files in the image. */
export function programsIn(image) {
  const script =
    "const fs=require('fs');const list=(d)=>fs.readdirSync(d,{recursive:true}).filter((f)=>f.endsWith('.js')).map((f)=>d+'/'+f);" +
    "console.log(list('/app/apps').concat(list('/app/tools')).sort().join('\\n'))";
  return docker(['run', '--rm', '--network', 'none', image, '-e', script]).split('\n');
}

/**
 * Starts a program without settings: it must load all packages and then report missing settings. Like in a cluster, the
 * file system is read-only and the container has no capabilities; it also has no network.
 */
export function problemOfProgram(image, program) {
  const { status, stdout, stderr } = spawnSync(
    'docker',
    [
      ...['run', '--rm', '--network', 'none', '--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL'],
      ...['--security-opt', 'no-new-privileges', '--entrypoint', 'node', image],
      ...['--enable-source-maps', '--require', '/app/telemetry.js', program],
    ],
    { encoding: 'utf8' },
  );
  const text = `${stdout}${stderr}`;
  if (/Cannot find module|ERR_MODULE_NOT_FOUND|cannot open shared object|EROFS|EACCES/.test(text))
    return text.trim().split('\n').slice(0, 3).join(' ');
  // Commands without arguments print their usage.
  return status === 0 || status === 1 || status === 2
    ? undefined
    : `ended with code ${status} without settings: ${text.slice(0, 200)}`;
}

/** Compares the image with the settings that deploy/README.md documents. */
export function problemsOfConfig(image, release) {
  const [{ Config: config }] = JSON.parse(docker(['image', 'inspect', image]));
  const labels = config.Labels ?? {};
  const entry = config.Entrypoint ?? [];
  return [
    ...(config.User === '10001:10001' ? [] : [`runs as ${config.User || 'root'}, not 10001:10001`]),
    ...(entry[0] === 'node' ? [] : [`starts ${entry[0]}, not node`]),
    ...(labels['org.opencontainers.image.version'] === release.version ? [] : ['has no label of its version']),
    ...(labels['org.opencontainers.image.revision'] === release.commit ? [] : ['has no label of its commit']),
    ...(hasShell(image) ? ['has a shell'] : []),
  ];
}

function hasShell(image) {
  return (
    spawnSync('docker', ['run', '--rm', '--network', 'none', '--entrypoint', '/bin/sh', image, '-c', 'exit 0'])
      .status === 0
  );
}
