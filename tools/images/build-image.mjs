import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, runSuccessfully } from '../bootstrap.mjs';
import { docker } from './docker.mjs';

export const IMAGE = 'payment-gateway';
const NODE_WITH_TRUST = 'payment-gateway-node-with-trust:build';

/** The version of package.json and the commit. The commit ends in `-dirty` if files are changed. */
export function releaseOf(root = ROOT) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const commit = git('rev-parse', 'HEAD').stdout.trim() || 'unknown';
  const isDirty = git('status', '--porcelain').stdout.trim() !== '';
  return { version, commit: isDirty ? `${commit}-dirty` : commit };
}

/** The tag of the image. Examples: `0123456789ab`, `0123456789ab-dirty`. */
export function tagOf({ commit }) {
  return commit.replace(/^([0-9a-f]{12})[0-9a-f]*/, '$1');
}

/** Returns the name with the tag of the commit. Images of clean checkouts also get the version as a tag. */
export async function buildImage({ root = ROOT, nodeImage, network }) {
  const release = releaseOf(root);
  const names = [
    `${IMAGE}:${tagOf(release)}`,
    ...(release.commit.endsWith('-dirty') ? [] : [`${IMAGE}:${release.version}`]),
  ];
  await runSuccessfully('docker', [
    'build',
    ...['--file', join(root, 'deploy', 'docker', 'Dockerfile')],
    ...names.flatMap((name) => ['--tag', name]),
    ...['--build-arg', `NODE_IMAGE=${withTrust(nodeImage)}`],
    ...['--build-arg', `RELEASE_VERSION=${release.version}`, '--build-arg', `RELEASE_COMMIT=${release.commit}`],
    ...(network === undefined ? [] : ['--network', network]),
    root,
  ]);
  return names[0];
}

/**
 * If npm uses another registry or certificate authority (NODE_EXTRA_CA_CERTS), the build stages need these settings.
 * They come from the base image of the stages and are not part of the result.
 */
function withTrust(nodeImage) {
  const authority = process.env.NODE_EXTRA_CA_CERTS;
  const registry = process.env.npm_config_registry ?? '';
  const isOwnRegistry = registry !== '' && !registry.startsWith('https://registry.npmjs.org');
  if (!authority && !isOwnRegistry) return nodeImage;
  const folder = mkdtempSync(join(tmpdir(), 'node-with-trust-'));
  try {
    const lines = [`FROM ${nodeImage}`];
    if (authority) {
      copyFileSync(authority, join(folder, 'authority.crt'));
      lines.push(
        'COPY authority.crt /etc/ssl/build-authority.crt',
        'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/build-authority.crt',
      );
    }
    if (isOwnRegistry) lines.push(`ENV npm_config_registry=${registry}`);
    writeFileSync(join(folder, 'Dockerfile'), `${lines.join('\n')}\n`);
    docker(['build', '--tag', NODE_WITH_TRUST, folder]);
    return NODE_WITH_TRUST;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
