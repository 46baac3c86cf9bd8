import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../bootstrap.mjs';
import { docker, dockerAloud } from './docker.mjs';

export const IMAGE = 'payment-gateway';
const NODE_WITH_TRUST = 'payment-gateway-node-with-trust:build';

/** Version of package.json and commit of the checkout; the commit of a changed checkout ends in `-dirty`. */
export function releaseOf(root = ROOT) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  const commit = git('rev-parse', 'HEAD').stdout.trim() || 'unknown';
  const isDirty = git('status', '--porcelain').stdout.trim() !== '';
  return { version, commit: isDirty ? `${commit}-dirty` : commit };
}

/** `0123456789ab` or `0123456789ab-dirty`: the tag of the image of a commit. */
export function tagOf({ commit }) {
  return commit.replace(/^([0-9a-f]{12})[0-9a-f]*/, '$1');
}

/**
 * Builds the image of a checkout and returns its name with the tag of the commit. The version is a second tag, of clean
 * checkouts.
 */
export async function buildImage({ root = ROOT, nodeImage, network }) {
  const release = releaseOf(root);
  const names = [
    `${IMAGE}:${tagOf(release)}`,
    ...(release.commit.endsWith('-dirty') ? [] : [`${IMAGE}:${release.version}`]),
  ];
  await dockerAloud([
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
 * If npm uses another registry or certificate authority (NODE_EXTRA_CA_CERTS), the build stages need the same settings.
 * They get them from their base image; the result does not contain them.
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
